// How long to wait before something that has failed is tried again: the longer, the more often it has.

const FIRST_SECONDS = 1;
const MAX_SECONDS = 60;

/** `tries` is how often it was tried again before. */
export const backOff = (tries: number): Temporal.Duration =>
  Temporal.Duration.from({ seconds: Math.min(MAX_SECONDS, FIRST_SECONDS * 2 ** Math.min(tries, 10)) });
