"""Design data from any public web page."""

from limner import _error_codes, models
from limner._client import AsyncLimner, Limner
from limner._error_codes import *
from limner._errors import ApiError, ConnectionFailedError, LimnerError, RequestTimeoutError, UnknownResponseError

__all__ = [
    "ApiError",
    "AsyncLimner",
    "ConnectionFailedError",
    "Limner",
    "LimnerError",
    "RequestTimeoutError",
    "UnknownResponseError",
    "models",
]
__all__ += _error_codes.__all__
