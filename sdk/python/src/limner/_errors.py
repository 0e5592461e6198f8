from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from limner.models import SectionRef


class LimnerError(Exception):
    """An error of this package."""


class ApiError(LimnerError):
    """An error response of the API. There is a class for each code; `code` tells them apart as well."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int,
        request_id: str | None = None,
        retry_after: int | None = None,
        sections: list[SectionRef] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        """The stable code to branch on."""
        self.status = status
        """The HTTP status."""
        self.request_id = request_id
        """Id of the call, for questions to the service's operator."""
        self.retry_after = retry_after
        """Seconds after which a retry may succeed."""
        self.sections = sections
        """The sections of the page, if the one asked for does not exist."""


class UnknownResponseError(ApiError):
    """A response that is not the API's, such as one of a proxy, or has a code that this version does not know."""


class ConnectionFailedError(LimnerError):
    """No response: the service cannot be reached, or the connection was lost."""


class RequestTimeoutError(LimnerError):
    """No response in time. The call is completed, cached and charged: repeat it, and the result is free."""
