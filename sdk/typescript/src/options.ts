/** Options of a client. */
export interface LimnerOptions {
  /** An API key; the environment variable `LIMNER_API_KEY` if it is not given. */
  apiKey?: string;
  /** URL of the service; `LIMNER_URL` if it is not given, otherwise that of a local `limner up`. */
  baseUrl?: string;
  /** Milliseconds after which one try is given up: 60,000. A call that is given up is completed, cached and charged. */
  timeout?: number;
  /** How often a call is tried again after `rate_limited`, a temporary error of the service or a lost connection: 2. */
  maxRetries?: number;
  /** The longest wait before a retry, in milliseconds: 60,000. A longer `Retry-After` ends the call with its error. */
  maxRetryDelay?: number;
  /** Called instead of the global `fetch`. */
  fetch?: typeof fetch;
}

/** Options of one call. */
export interface CallOptions {
  /** Overrides the client's `timeout`. */
  timeout?: number;
  /** Overrides the client's `maxRetries`. */
  maxRetries?: number;
  /** Ends the call, and waits between tries as well. */
  signal?: AbortSignal;
}
