// When a client should send again.

import type { ApiError } from '#contract/errors.ts';

/** For states that pass with the work of an operator rather than by themselves. */
const RETRY_AFTER_SECONDS = '5';

/** Headers of a refusal after which the same request may succeed: its own, or a time to wait. */
export const retryHeaders = ({ headers }: ApiError): Readonly<Record<string, string>> => ({
  'retry-after': headers['retry-after'] ?? RETRY_AFTER_SECONDS,
});
