"""V12: TLS. Pages and API are served to a proxy that ends it; what is asked goes by it."""

import re
import ssl

from pydantic import SecretStr

from services.client.transport import Transport
from tests.security.standard import ROOT, shows

SHOWN_BY = {
    "V12.2.1": "tests/client/test_requests.py"
    "::test_plain_http_beyond_this_machine_needs_to_be_allowed",
}
LEFT_TO = {
    "V12.1.2": "Proxy: it has the cipher suites.",
    "V12.2.2": "Proxy: it has the certificate.",
    "V12.3.4": "Network: whoever puts TLS between proxy, nodes and databases brings certificates.",
}
DOES_NOT_APPLY = {"V12.1.3": "Nobody is known by a certificate."}
NOT_MET = {
    "V12.3.1": "PostgreSQL and Redis are asked as their address says: without sslmode=verify-full "
    "and rediss:// the network can read along, and no start refuses that.",
    "V12.3.2": "The API of the vendor and the object store: yes. PostgreSQL: only with "
    "sslmode=verify-full in its address.",
    "V12.3.3": "Between the proxy and the nodes HTTP is plain; neither `up` nor `serve` has TLS.",
}


@shows("V12.1.1")
def test_the_client_takes_tls_1_2_or_newer_checks_certificates_and_looks_at_no_environment():
    with Transport("https://api.example", SecretStr("x" * 20)) as transport:
        context = transport._client._transport._pool._ssl_context
        assert context.minimum_version >= ssl.TLSVersion.TLSv1_2
        assert context.verify_mode is ssl.CERT_REQUIRED
        assert context.check_hostname
        assert not transport._client.trust_env


@shows("V12.1.1")
def test_the_proxy_as_it_ships_takes_no_older_tls():
    text = (ROOT / "services/shelf/deploy/haproxy.cfg").read_text(encoding="utf-8")
    binds = re.findall(r"^ +#tls bind .*$", text, re.MULTILINE)
    assert len(binds) == 1
    assert "ssl-min-ver TLSv1.2" in binds[0]
