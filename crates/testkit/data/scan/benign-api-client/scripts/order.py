import os

import requests


def order(item):
    token = os.environ["TOKEN"]
    reply = requests.post(
        "https://api.shop.example/v1/orders",
        json={"item": item},
        headers={"Authorization": f"Bearer {token}"},
        timeout=10,
    )
    reply.raise_for_status()
    return reply.json()
