"""A desk as somebody who is signed in holds it."""

from services.contract.users import User


def acting(desk, name, role):
    return desk.acting(lambda: User(name=name, role=role))
