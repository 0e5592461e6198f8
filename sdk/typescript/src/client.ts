import { ApiError, ConnectionError, LimnerError, RequestTimeoutError, UnknownResponseError } from './errors.js';
import { ERRORS } from './generated/errors.js';
import { Operations } from './generated/operations.js';
import type { ErrorBody, GetUsageData, RecordedCall } from './generated/types.js';
import type { CallOptions, LimnerOptions } from './options.js';

const LOCAL = 'http://127.0.0.1:8080';
/** Statuses of temporary errors. Every call is a GET, so that all calls may be repeated. */
const TEMPORARY = new Set([500, 502, 503, 504]);

/** A client of the API. */
export class Limner extends Operations {
  readonly #apiKey: string;
  readonly #baseUrl: string;
  readonly #options: Required<Pick<LimnerOptions, 'timeout' | 'maxRetries' | 'maxRetryDelay' | 'fetch'>>;

  constructor(options: LimnerOptions = {}) {
    super();
    const environment = typeof process === 'undefined' ? {} : process.env;
    const apiKey = (options.apiKey ?? environment['LIMNER_API_KEY'] ?? '').trim();
    if (!apiKey) throw new LimnerError('There is no API key: set LIMNER_API_KEY, or pass `apiKey`.');
    this.#apiKey = apiKey;
    this.#baseUrl = `${(options.baseUrl ?? environment['LIMNER_URL'] ?? LOCAL).replace(/\/+(v1\/*)?$/, '')}/v1`;
    this.#options = {
      timeout: options.timeout ?? 60_000,
      maxRetries: options.maxRetries ?? 2,
      maxRetryDelay: options.maxRetryDelay ?? 60_000,
      fetch: options.fetch ?? ((...request) => fetch(...request)),
    };
  }

  /** Returns the calls of the account, newest first, from as many pages as the loop asks for. */
  async *usageCalls(
    query: Omit<NonNullable<GetUsageData['query']>, 'cursor'> = {},
    options?: CallOptions,
  ): AsyncGenerator<RecordedCall, void, undefined> {
    let cursor: string | null = null;
    do {
      const page: { calls: RecordedCall[]; nextCursor: string | null } = await this.usage(
        cursor === null ? query : { ...query, cursor },
        options,
      );
      yield* page.calls;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }

  protected override async call<T>(path: string, query: object, options: CallOptions = {}): Promise<T> {
    const url = `${this.#baseUrl}${path}${search(query)}`;
    const maxRetries = options.maxRetries ?? this.#options.maxRetries;
    for (let retries = 0; ; retries++) {
      let failure: LimnerError;
      try {
        const response = await this.#fetch(url, options);
        const body = await response.text();
        if (response.ok) return (isJson(response) ? JSON.parse(body) : body) as T;
        failure = apiError(response, body);
      } catch (error) {
        options.signal?.throwIfAborted();
        failure = connectionError(error);
      }
      const delay = retryDelay(failure, retries);
      if (retries >= maxRetries || delay === undefined || delay > this.#options.maxRetryDelay) throw failure;
      await sleep(delay, options.signal);
    }
  }

  #fetch(url: string, options: CallOptions): Promise<Response> {
    const timeout = AbortSignal.timeout(options.timeout ?? this.#options.timeout);
    const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
    return this.#options.fetch(url, { headers: { authorization: `Bearer ${this.#apiKey}` }, signal });
  }
}

/** Returns the query of a call; lists are separated by commas. */
function search(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return text && `?${text}`;
}

function isJson(response: Response): boolean {
  return response.headers.get('content-type')?.includes('json') ?? false;
}

function apiError(response: Response, body: string): LimnerError {
  const parsed = isJson(response) ? errorBody(body) : {};
  const code = parsed.data?.code;
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10);
  const details = {
    message: parsed.statusMessage ?? `The response has the status ${response.status} and is not one of Limner.`,
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfter: Number.isNaN(seconds) ? undefined : seconds,
    sections: parsed.data?.sections,
  };
  if (code === undefined || !Object.hasOwn(ERRORS, code)) {
    return new UnknownResponseError({ ...details, code: code ?? 'unknown' });
  }
  return new (ERRORS[code] as typeof ApiError)({ ...details, code });
}

/** Returns the body of an error response; nothing if it was cut short. */
function errorBody(body: string): Partial<ErrorBody> {
  try {
    return (JSON.parse(body) ?? {}) as Partial<ErrorBody>;
  } catch {
    return {};
  }
}

function connectionError(error: unknown): LimnerError {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new RequestTimeoutError('There was no response in time.', { cause: error });
  }
  return new ConnectionError('The service cannot be reached, or the connection was lost.', { cause: error });
}

/** Returns the milliseconds to wait before the call is repeated; undefined if that would not help. */
function retryDelay(failure: LimnerError, retries: number): number | undefined {
  const backoff = 500 * 2 ** retries * (0.5 + Math.random() / 2);
  if (failure instanceof ConnectionError) return backoff;
  if (!(failure instanceof ApiError)) return undefined;
  const isRetryable = failure.code === 'rate_limited' || TEMPORARY.has(failure.status);
  // Rendering may be off for good: without a time to wait for, the caller decides.
  if (!isRetryable || (failure.code === 'render_unavailable' && failure.retryAfter === undefined)) return undefined;
  return failure.retryAfter === undefined ? backoff : failure.retryAfter * 1_000;
}

function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
