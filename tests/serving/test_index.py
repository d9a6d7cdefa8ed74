"""Streamlit's page as it is sent; every other answer goes through as it came."""

import asyncio

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from components.serving.index import IndexPage, ToldIndex

PLAIN = b"<html><head><title>x</title></head></html>"
OTHER = PLAIN.replace(b"x", b"y")


async def slowly():
    for at in range(0, len(PLAIN), 7):
        yield PLAIN[at : at + 7]
        await asyncio.sleep(0)


def streamed(_request):
    sized = {"Content-Length": str(len(PLAIN))}
    return StreamingResponse(slowly(), media_type="text/html", headers=sized)


ROUTES = {
    "/index": lambda _: HTMLResponse(PLAIN, headers={"ETag": '"inner"', "Last-Modified": "x"}),
    "/streamed": streamed,
    "/same_length": lambda _: HTMLResponse(OTHER),
    "/text": lambda _: PlainTextResponse(PLAIN),
    "/missing": lambda _: HTMLResponse(PLAIN, 404),
    "/nothing": lambda _: Response(status_code=204),
}


def asked(path, **headers):
    app = Starlette(routes=[Route(at, answer) for at, answer in ROUTES.items()])
    told = httpx.ASGITransport(ToldIndex(app, page=IndexPage(PLAIN)))

    async def ask():
        async with httpx.AsyncClient(transport=told, base_url="http://here") as client:
            return await client.get(path, headers={"Accept": "text/html", **headers})

    return asyncio.run(ask())


@pytest.mark.parametrize("path", ["/index", "/streamed"])
def test_the_page_is_replaced_whole(path):
    answer = asked(path)
    assert answer.content.startswith(b"<html><head><script>window.__streamlit=")
    assert answer.content.endswith(b"</script><title>x</title></head></html>")
    assert answer.headers["etag"] == IndexPage(PLAIN).etag
    assert "last-modified" not in answer.headers


@pytest.mark.parametrize(
    ("path", "status", "body"),
    [
        ("/same_length", 200, OTHER),
        ("/text", 200, PLAIN),
        ("/missing", 404, PLAIN),
        ("/nothing", 204, b""),
    ],
)
def test_whatever_is_not_the_page_goes_through(path, status, body):
    answer = asked(path)
    assert (answer.status_code, answer.content) == (status, body)
    assert answer.headers.get("etag") is None


def test_what_no_browser_opens_as_a_page_goes_through():
    assert asked("/index", Accept="*/*").content == PLAIN


def test_a_page_without_a_head_is_sent_as_it_is():
    page = IndexPage(b"<html></html>")
    assert page.told == page.plain
