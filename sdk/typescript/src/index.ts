export { Limner } from './client.js';
export { ApiError, ConnectionError, LimnerError, RequestTimeoutError, UnknownResponseError } from './errors.js';
export * from './generated/errors.js';
export type { ExtractFormats } from './generated/operations.js';
export type * from './generated/types.js';
export type { CallOptions, LimnerOptions } from './options.js';
