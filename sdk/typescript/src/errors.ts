import type { ErrorCode, SectionRef } from './generated/types.js';

/** An error of this package. */
export class LimnerError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** What an error response contains. */
export interface ErrorDetails<Code extends string> {
  code: Code;
  message: string;
  status: number;
  requestId: string | undefined;
  retryAfter: number | undefined;
  sections: SectionRef[] | undefined;
}

/** An error response of the API. There is a class for each code; `code` tells them apart as well. */
export class ApiError<Code extends string = ErrorCode> extends LimnerError {
  /** The stable code to branch on. */
  readonly code: Code;
  /** The HTTP status. */
  readonly status: number;
  /** Id of the call, for questions to the service's operator. */
  readonly requestId: string | undefined;
  /** Seconds after which a retry may succeed. */
  readonly retryAfter: number | undefined;
  /** The sections of the page, if the one asked for does not exist. */
  readonly sections: SectionRef[] | undefined;

  constructor(details: ErrorDetails<Code>) {
    super(details.message);
    this.code = details.code;
    this.status = details.status;
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
    this.sections = details.sections;
  }
}

/** A response that is not the API's, such as one of a proxy, or has a code that this version does not know. */
export class UnknownResponseError extends ApiError<string> {}

/** No response: the service cannot be reached, or the connection was lost. */
export class ConnectionError extends LimnerError {}

/** No response in time. The call is completed, cached and charged: repeat it, and the result is free. */
export class RequestTimeoutError extends LimnerError {}
