// Exponential back-off.

const FIRST_SECONDS = 1;
const MAX_SECONDS = 60;

/** `tries` is the number of earlier retries. */
export const backOff = (tries: number): Temporal.Duration =>
  Temporal.Duration.from({ seconds: Math.min(MAX_SECONDS, FIRST_SECONDS * 2 ** Math.min(tries, 10)) });
