// Exponential back-off.

import type { RetryDelays } from '#runtime/retry.ts';

export const BACK_OFF: RetryDelays = { ms: [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000], isEndless: true };
