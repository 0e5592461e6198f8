"""Calls a fleet of which a role is away, and whose gateway ends meanwhile, through both clients of the Python package."""

from __future__ import annotations

import asyncio
import sys

from limner import AsyncLimner, InternalError, Limner, models

URL, KEY = sys.argv[1:]


def check(error: InternalError) -> None:
    assert error.code == "internal_error" and (error.request_id or "").startswith("req_"), error
    assert error.retry_after is not None and error.retry_after >= 1, error


def blocking() -> models.ImagesResult:
    try:
        Limner(KEY, base_url=URL, max_retries=0).images("http://site.test/blocking")
        raise AssertionError("the call did not fail")
    except InternalError as error:
        check(error)
    return Limner(KEY, base_url=URL, max_retries=8).images("http://site.test/blocking")


async def asynchronous() -> models.ImagesResult:
    async with AsyncLimner(KEY, base_url=URL, max_retries=0) as client:
        try:
            await client.images("http://site.test/asynchronous")
            raise AssertionError("the call did not fail")
        except InternalError as error:
            check(error)
    async with AsyncLimner(KEY, base_url=URL, max_retries=8) as client:
        return await client.images("http://site.test/asynchronous")


async def main() -> None:
    for result in await asyncio.gather(asyncio.to_thread(blocking), asynchronous()):
        assert result.images and len(result.images) == 1


asyncio.run(main())
