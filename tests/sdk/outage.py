"""Calls a fleet of which a role is away, and whose gateway ends meanwhile, through both clients of the Python package."""

from __future__ import annotations

import asyncio
import sys

from limner import AsyncLimner, Limner, models

URL, KEY = sys.argv[1:]


def blocking() -> models.ImagesResult:
    return Limner(KEY, base_url=URL, max_retries=8).images("http://site.test/blocking")


async def asynchronous() -> models.ImagesResult:
    async with AsyncLimner(KEY, base_url=URL, max_retries=8) as client:
        return await client.images("http://site.test/asynchronous")


async def main() -> None:
    for result in await asyncio.gather(asyncio.to_thread(blocking), asynchronous()):
        assert result.images and len(result.images) == 1


asyncio.run(main())
