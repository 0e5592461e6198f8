from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any

import httpx

from limner._calls import Calls, connection_error, query_of, result_of
from limner._errors import LimnerError
from limner._model import Model
from limner._operations import AsyncOperations, Operations
from limner.models import RecordedCall

if TYPE_CHECKING:
    from typing_extensions import Self


class Limner(Operations):
    """A client of the API.

    api_key: An API key; the environment variable `LIMNER_API_KEY` if it is not given.
    base_url: URL of the service; `LIMNER_URL` if it is not given, otherwise that of a local `limner up`.
    timeout: Seconds to wait for a connection, and for the response. A call that is given up is completed, cached and
        charged.
    max_retries: How often a call is tried again after `rate_limited`, a temporary error of the service or a lost
        connection.
    max_retry_delay: The longest wait before a retry, in seconds. A longer `Retry-After` ends the call with its error.
    http_client: Sends the requests; it is not closed with this client.
    """

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        timeout: float = 60,
        max_retries: int = 2,
        max_retry_delay: float = 60,
        http_client: httpx.Client | None = None,
    ) -> None:
        self._calls = Calls(api_key, base_url, timeout, max_retries, max_retry_delay)
        self._is_own = http_client is None
        self._http = http_client or httpx.Client()

    def usage_calls(self, *, limit: int | None = None) -> Iterator[RecordedCall]:
        """Yields the calls of the account, newest first, from as many pages of `limit` calls as are asked for."""
        cursor: str | None = None
        while True:
            page = self.usage(limit=limit, cursor=cursor)
            yield from page.calls
            cursor = page.next_cursor
            if cursor is None:
                return

    def close(self) -> None:
        """Closes the connections."""
        if self._is_own:
            self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, model: type[Model], path: str, query: dict[str, Any], timeout: float | None, is_file: bool) -> Any:
        retries = 0
        while True:
            try:
                response = self._http.get(
                    self._calls.base_url + path,
                    params=query_of(query),
                    headers=self._calls.headers,
                    timeout=self._calls.timeout if timeout is None else timeout,
                )
                return result_of(response, model, is_file)
            except httpx.TransportError as error:
                delay = self._calls.delay(connection_error(error), retries)
            except LimnerError as error:
                delay = self._calls.delay(error, retries)
            time.sleep(delay)
            retries += 1


class AsyncLimner(AsyncOperations):
    """Like `Limner`, for `async` code."""

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        timeout: float = 60,
        max_retries: int = 2,
        max_retry_delay: float = 60,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        self._calls = Calls(api_key, base_url, timeout, max_retries, max_retry_delay)
        self._is_own = http_client is None
        self._http = http_client or httpx.AsyncClient()

    async def usage_calls(self, *, limit: int | None = None) -> AsyncIterator[RecordedCall]:
        """Yields the calls of the account, newest first, from as many pages of `limit` calls as are asked for."""
        cursor: str | None = None
        while True:
            page = await self.usage(limit=limit, cursor=cursor)
            for call in page.calls:
                yield call
            cursor = page.next_cursor
            if cursor is None:
                return

    async def close(self) -> None:
        """Closes the connections."""
        if self._is_own:
            await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _call(
        self, model: type[Model], path: str, query: dict[str, Any], timeout: float | None, is_file: bool
    ) -> Any:
        retries = 0
        while True:
            try:
                response = await self._http.get(
                    self._calls.base_url + path,
                    params=query_of(query),
                    headers=self._calls.headers,
                    timeout=self._calls.timeout if timeout is None else timeout,
                )
                return result_of(response, model, is_file)
            except httpx.TransportError as error:
                delay = self._calls.delay(connection_error(error), retries)
            except LimnerError as error:
                delay = self._calls.delay(error, retries)
            await asyncio.sleep(delay)
            retries += 1
