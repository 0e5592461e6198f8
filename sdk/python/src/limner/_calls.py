"""What the two clients share: settings, queries, results, errors, and when to try again."""

from __future__ import annotations

import os
import random
from collections.abc import Mapping, Sequence
from typing import Any

import httpx

from limner._error_codes import ERRORS
from limner._errors import ApiError, ConnectionFailedError, LimnerError, RequestTimeoutError, UnknownResponseError
from limner._model import Model
from limner.models import SectionRef

_LOCAL = "http://127.0.0.1:8080"
# Statuses of temporary errors. Every call is a GET, so that all calls may be repeated.
_TEMPORARY = {500, 502, 503, 504}


class Calls:
    """The settings of a client, and what follows from them."""

    def __init__(
        self, api_key: str | None, base_url: str | None, timeout: float, max_retries: int, max_retry_delay: float
    ) -> None:
        api_key = (api_key or os.environ.get("LIMNER_API_KEY", "")).strip()
        if not api_key:
            raise LimnerError("There is no API key: set LIMNER_API_KEY, or pass `api_key`.")
        base_url = base_url or os.environ.get("LIMNER_URL") or _LOCAL
        self.base_url = base_url.rstrip("/").removesuffix("/v1").rstrip("/") + "/v1"
        self.headers = {"authorization": f"Bearer {api_key}"}
        self.timeout = timeout
        self.max_retries = max_retries
        self.max_retry_delay = max_retry_delay

    def delay(self, failure: LimnerError, retries: int) -> float:
        """Returns the seconds to wait before the call is repeated; raises the failure if that would not help."""
        delay = _retry_delay(failure, retries)
        if retries >= self.max_retries or delay is None or delay > self.max_retry_delay:
            raise failure
        return delay


def query_of(parameters: Mapping[str, Any]) -> dict[str, str]:
    """Returns the query of a call; lists are separated by commas."""
    return {name: _text(value) for name, value in parameters.items() if value is not None}


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(value)
    return str(value)


def result_of(response: httpx.Response, model: type[Model], is_file: bool) -> Any:
    """Returns the result of a call: a model, or a file as text or as JSON. Raises the error of an error response."""
    if not response.is_success:
        raise _api_error(response)
    if not _is_json(response):
        return response.text
    return response.json() if is_file else model.model_validate_json(response.content)


def _is_json(response: httpx.Response) -> bool:
    return "json" in response.headers.get("content-type", "")


def _api_error(response: httpx.Response) -> ApiError:
    try:
        body = response.json() if _is_json(response) else {}
    except ValueError:
        body = {}
    body = body if isinstance(body, dict) else {}
    data = body.get("data")
    data = data if isinstance(data, dict) else {}
    code, sections = data.get("code", "unknown"), data.get("sections")
    seconds = response.headers.get("retry-after", "")
    return ERRORS.get(code, UnknownResponseError)(
        body.get("statusMessage", f"The response has the status {response.status_code} and is not one of Limner."),
        code=code,
        status=response.status_code,
        request_id=response.headers.get("x-request-id"),
        retry_after=int(seconds) if seconds.isdecimal() else None,
        sections=sections and [SectionRef.model_validate(section) for section in sections],
    )


def connection_error(error: httpx.TransportError) -> LimnerError:
    """Returns the error of a call without a response."""
    if isinstance(error, httpx.TimeoutException):
        return RequestTimeoutError("There was no response in time.")
    return ConnectionFailedError("The service cannot be reached, or the connection was lost.")


def _retry_delay(failure: LimnerError, retries: int) -> float | None:
    backoff: float = 0.5 * 2**retries * random.uniform(0.5, 1)
    if isinstance(failure, ConnectionFailedError):
        return backoff
    if not isinstance(failure, ApiError):
        return None
    is_retryable = failure.code == "rate_limited" or failure.status in _TEMPORARY
    # Rendering may be off for good: without a time to wait for, the caller decides.
    if not is_retryable or (failure.code == "render_unavailable" and failure.retry_after is None):
        return None
    return backoff if failure.retry_after is None else failure.retry_after
