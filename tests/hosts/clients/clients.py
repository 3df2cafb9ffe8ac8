# Sends every case of standard input by a client of Python, one after the other, and prints what came of each: [status, text].

import asyncio
import json
import sys


def by_requests(address, cases):
    import requests

    with requests.Session() as session:
        return [(reply.status_code, reply.text) for reply in (session.post(address + case["path"], json=case["body"]) for case in cases)]


def by_httpx(address, cases):
    import httpx

    with httpx.Client() as client:
        return [(reply.status_code, reply.text) for reply in (client.post(address + case["path"], json=case["body"]) for case in cases)]


def by_aiohttp(address, cases):
    import aiohttp

    async def send():
        async with aiohttp.ClientSession() as session:
            answers = []
            for case in cases:
                async with session.post(address + case["path"], json=case["body"]) as reply:
                    answers.append((reply.status, await reply.text()))
            return answers

    return asyncio.run(send())


send = {"requests": by_requests, "httpx": by_httpx, "aiohttp": by_aiohttp}[sys.argv[1]]
json.dump(send(sys.argv[2], json.load(sys.stdin)), sys.stdout)
