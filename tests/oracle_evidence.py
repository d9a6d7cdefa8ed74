"""What edges rest on and who parties are (D196 to D199), in plain Python over portfolios' rows."""

from hashlib import sha256

from services.contract.evidence import METHODS, SCHEMES

ABOUT = ["name", "identifier", "address", "jurisdiction", "legal kind"]


class Said:
    """Over `self.portfolios`, one after the other."""

    def particulars(self, name):
        """Of a party, in the order that is promised."""
        found = []
        for at, one in enumerate(self.portfolios):
            names = one.entities["entity_name"].to_pylist()
            rows = [row for row in one.particulars.to_pylist() if names[row.pop("entity")] == name]
            found += [(at, cited(one, row)) for row in rows]
        schemes = [*SCHEMES, None]
        found.sort(key=lambda f: (ABOUT.index(f[1]["about"]), schemes.index(f[1]["scheme"]),
                                  f[1]["value"], f[0]))  # fmt: skip
        return [row for _, row in found]

    def party_id(self, name):
        for row in self.particulars(name):
            if row["about"] == "identifier":
                return f"{SCHEMES[row['scheme']]}:{row['value'].replace(' ', '-')}"
        return f"name:{sha256(name.encode()).hexdigest()[:16]}"

    def witnesses(self, start, end, relation):
        """Of all edges of a relation from a node to a party, the surest first."""
        found = []
        for one in self.portfolios:
            numbers = one.loans["loan_number"].to_pylist()
            names = one.entities["entity_name"].to_pylist()
            edges = one.edges.to_pylist()
            for row in one.witnesses.to_pylist():
                edge = edges[row.pop("edge")]
                loan = edge["from_loan"]
                node = ("entity", names[edge["from_entity"]]) if loan is None else (
                    "loan", numbers[loan])  # fmt: skip
                if (node, names[edge["to_entity"]], edge["relation"]) == (start, end, relation):
                    sure = METHODS[row["method"]] or row["match"]
                    known = {"relation": relation, "confidence": sure, "share": edge["share"]}
                    found.append(cited(one, row) | known)
        return sorted(found, key=lambda row: -row["confidence"])


def cited(portfolio, row):
    info = portfolio.info
    return row | {"source": info.title, "as_of": info.as_of, "provenance": info.provenance}
