"""What jobs in Python do: charge somebody, while the shop is up."""

import os


def charge(name):
    shop = os.environ["SHOP"]
    if not os.path.exists(os.path.join(shop, "up")):
        raise ConnectionRefusedError(111, "Connection refused")
    with open(os.path.join(shop, "done"), "a") as done:
        done.write(name + "\n")
