"""Prints the primary colour of each page, reading all at once: python compare_brands.py URL..."""

import asyncio
import sys

from limner import ApiError, AsyncLimner


async def primary(limner: AsyncLimner, url: str) -> str | None:
    try:
        brand = await limner.brand(url, fields=["colors"])
    except ApiError as error:
        return f"{error.code}: {error}"
    return brand.colors.primary if brand.colors else None


async def main(urls: list[str]) -> None:
    async with AsyncLimner() as limner:
        colors = await asyncio.gather(*(primary(limner, url) for url in urls))
    for url, color in zip(urls, colors, strict=True):
        print(url, color)


asyncio.run(main(sys.argv[1:] or ["http://demo.limner.test/"]))
