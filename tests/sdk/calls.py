"""Calls a running fleet and a server with prepared responses through the Python package, as its users install it."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import limner
from limner import ApiError, AsyncLimner, Limner, LimnerError, models

TOLD = json.loads(sys.argv[1])
PAGE = "http://site.test/"
Call = Callable[..., Awaitable[Any]]


class Blocking:
    """The client for ordinary code, with the methods of the asynchronous one."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._client = Limner(*arguments, **options)

    def __getattr__(self, name: str) -> Call:
        return lambda *arguments, **options: asyncio.to_thread(getattr(self._client, name), *arguments, **options)


def typed() -> None:
    """Uses the types: results, and what follows from a format."""
    with Limner(TOLD["keys"]["roomy"], base_url=TOLD["url"]) as client:
        brand: models.BrandResult = client.brand(PAGE, fields=["title", "colors"])
        assert (brand.title, brand.fonts, brand.usage.cached) == ("Lamps", None, True)
        tokens: models.TokensResult = client.extract(PAGE)
        assert tokens.colors is not None and "#123456" in tokens.colors
        css: str = client.extract(PAGE, format="css")
        assert "#123456" in css
        file: dict[str, Any] = client.extract(PAGE, format="dtcg")
        assert "color" in file
        code: models.CodeResult = client.code(PAGE, framework="jsx", language="ts", name="Hero")
        assert code.code is not None and "Hero" in code.code
        as_json = client.images(PAGE).model_dump(by_alias=True, exclude_unset=True)
        assert as_json["images"][0]["url"] == "http://site.test/lamp.png" and "creditsSpent" in as_json["usage"]
        listed = client.usage(limit=7).calls
        assert len(listed) == 7
        # Hits are recorded a moment later: the history may have become longer meanwhile.
        ids = {call.request_id for call in client.usage_calls(limit=3)}
        assert {call.request_id for call in listed} <= ids


async def typed_async() -> None:
    async with AsyncLimner(TOLD["keys"]["roomy"], base_url=TOLD["url"]) as client:
        brand: models.BrandResult = await client.brand(PAGE)
        theme: str = await client.extract(PAGE, format="tailwind")
        assert brand.title == "Lamps" and "@theme" in theme
        found = [call async for call in client.usage_calls(limit=5)]
        assert len(found) > 5


async def operations(client: Any) -> None:
    for operation in TOLD["operations"]:
        result = await getattr(client, operation)(*([] if operation == "usage" else [PAGE]))
        assert result.usage, operation


async def failure(call: Awaitable[Any]) -> LimnerError:
    try:
        await call
    except LimnerError as error:
        return error
    raise AssertionError("the call did not fail")


async def errors(kind: Any) -> None:
    def client(key: str, **options: Any) -> Any:
        return kind(TOLD["keys"].get(key, key), base_url=TOLD["url"], **options)

    roomy, limited = client("roomy", max_retries=0), client("limited", max_retries=0)
    cases = {
        "invalid_request": roomy.code(PAGE, theme="blue"),
        "invalid_api_key": client("lm_live_wrong").usage(),
        "billing_issue": client("suspended").images(PAGE),
        "not_found": roomy.code(PAGE, selector="#nothing"),
        "target_blocked": roomy.images(PAGE + "forbidden"),
        "target_timeout": roomy.images(PAGE + "slow"),
        "target_error": roomy.images(PAGE + "broken"),
        "target_unreachable": roomy.images("http://nowhere.invalid/"),
        "unprocessable_content": roomy.images(PAGE + "document.pdf"),
        "rate_limited": limited.usage(),
        "quota_exceeded": client("poor").code(PAGE, fresh=True),
        "render_unavailable": roomy.images(PAGE, render=True),
    }
    try:
        await limited.usage()
    except limner.RateLimitedError:
        pass
    assert {*cases, "internal_error"} == set(TOLD["codes"])
    for code, error in zip(cases, await asyncio.gather(*map(failure, cases.values())), strict=True):
        assert isinstance(error, ApiError) and type(error) is expected(code), f"{code}: {error!r}"
        assert error.code == code and error.status >= 400 and (error.request_id or "").startswith("req_"), code
        if code == "not_found":
            assert error.sections and error.sections[0].selector
        if code == "rate_limited":
            assert error.retry_after is not None and 1 <= error.retry_after <= 60


async def timeouts(kind: Any) -> None:
    """A call whose time is over is not repeated; the fleet completes it and has its result."""
    client = kind(TOLD["keys"]["roomy"], base_url=TOLD["url"])
    page = f"{PAGE}late/{kind.__name__}"
    assert isinstance(await failure(client.images(page, timeout=0.2)), limner.RequestTimeoutError)
    assert (await client.images(page)).images


async def rate_limit(kind: Any) -> None:
    """The account may make one call a minute: the fleet refuses the second, and the client waits as long as it says."""
    client = kind(TOLD["keys"][f"patient{kind.__name__}"], base_url=TOLD["url"])
    await client.usage()
    before = time.monotonic()
    assert (await client.usage()).usage
    assert time.monotonic() - before > 30, "the window of a minute was waited for"


def expected(code: str) -> Any:
    name = "".join(part.capitalize() for part in code.split("_"))
    return getattr(limner, name if code.endswith("error") else name + "Error")


Prepared = tuple[int, str, dict[str, str]]
SUCCESS: Prepared = (200, json.dumps({"url": PAGE, "title": "Prepared", "usage": {
    "cached": False, "creditsSpent": 1, "creditsThisMonth": 1, "monthlyLimit": None, "remaining": None, "later": [1],
}}), {})  # fmt: skip
LOST: Prepared = (0, "", {})
SILENT: Prepared = (-1, "", {})


def refusal(status: int, code: str, **headers: str) -> Prepared:
    body = {"error": True, "statusCode": status, "statusMessage": "Prepared.", "data": {"code": code, "requestId": "r"}}
    return status, json.dumps(body), {name.replace("_", "-"): value for name, value in headers.items()}


class Stub(ThreadingHTTPServer):
    """A server with prepared responses."""

    daemon_threads = True
    prepared: list[Prepared]
    seen: list[tuple[str, str, float]]
    ended: threading.Event

    def prepare(self, *responses: Prepared) -> None:
        self.prepared, self.seen = list(responses), []


class Handler(BaseHTTPRequestHandler):
    server: Stub

    def do_GET(self) -> None:
        self.server.seen.append((self.path, self.headers["authorization"], time.monotonic()))
        status, body, headers = self.server.prepared.pop(0) if self.server.prepared else SUCCESS
        if status == -1:
            self.server.ended.wait()
        if status <= 0:
            self.close_connection = True
            return
        self.send_response(status)
        for name, value in {"content-type": "application/json", "content-length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: Any) -> None:
        pass


async def retries(kind: Any) -> None:
    stub = Stub(("127.0.0.1", 0), Handler)
    stub.ended = threading.Event()
    threading.Thread(target=stub.serve_forever, daemon=True).start()
    client = kind("key", base_url=f"http://127.0.0.1:{stub.server_port}/v1/")

    stub.prepare(refusal(429, "rate_limited", retry_after="1"))
    result = await client.brand("a b", render=True, fields=["title", "colors"])
    assert result.title == "Prepared" and result.usage.later == [1]
    path = "/v1/brand?url=a+b&render=true&fields=title%2Ccolors"
    assert [(request[0], request[1]) for request in stub.seen] == [(path, "Bearer key")] * 2, stub.seen
    assert stub.seen[1][2] - stub.seen[0][2] >= 0.99, "waits as long as Retry-After says"

    gateway: Prepared = (502, "<h1>Bad gateway", {"content-type": "text/html"})
    nothing: Prepared = (502, "null", {"content-type": "application/json"})
    for error, requests, responses in [
        (limner.RateLimitedError, 1, [refusal(429, "rate_limited", retry_after="3600")]),
        (limner.QuotaExceededError, 1, [refusal(429, "quota_exceeded", retry_after="1")]),
        (limner.RenderUnavailableError, 1, [refusal(503, "render_unavailable")]),
        (limner.NotFoundError, 1, [refusal(404, "not_found")]),
        (limner.InternalError, 3, [refusal(500, "internal_error", retry_after="0")] * 3),
        (limner.UnknownResponseError, 3, [gateway] * 3),
        (limner.UnknownResponseError, 3, [nothing] * 3),
        (limner.UnknownResponseError, 1, [refusal(418, "of_a_later_version")]),
    ]:
        stub.prepare(*responses)
        found = await failure(client.brand(PAGE))
        assert type(found) is error and len(stub.seen) == requests, (found, len(stub.seen))

    stub.prepare(LOST)
    assert (await client.brand(PAGE)).title == "Prepared" and len(stub.seen) == 2

    stub.prepare(SILENT)
    found = await failure(client.brand(PAGE, timeout=0.15))
    assert isinstance(found, limner.RequestTimeoutError) and len(stub.seen) == 1, "a timeout is not repeated"

    stub.ended.set()
    stub.shutdown()
    stub.server_close()
    refused = kind("key", base_url=f"http://127.0.0.1:{stub.server_port}", max_retries=0)
    assert isinstance(await failure(refused.brand(PAGE)), limner.ConnectionFailedError)


def settings() -> None:
    os.environ.pop("LIMNER_API_KEY", None)
    try:
        Limner()
    except LimnerError as error:
        assert "LIMNER_API_KEY" in str(error)
        return
    raise AssertionError("a client without a key")


async def main() -> None:
    await operations(Blocking(TOLD["keys"]["roomy"], base_url=TOLD["url"]))
    await operations(AsyncLimner(TOLD["keys"]["roomy"], base_url=TOLD["url"]))
    await asyncio.gather(
        asyncio.to_thread(typed),
        typed_async(),
        *(check(kind) for check in (errors, timeouts, rate_limit, retries) for kind in (Blocking, AsyncLimner)),
    )
    settings()


asyncio.run(main())
