// Polls until a condition holds. `expect.poll` does the same for an expectation; this returns the state that fulfils it.

import { POLL_TIME_OUT_MS } from './time-out.ts';

const MAX_SHOWN = 4000;

/** Polls often at first, then more rarely: requests take the processor from the work that they wait for. */
export const pauseAfter = (round: number): number => Math.min(10 + round, 100);

/**
 * Asks again until `isSo`, and returns the answer that is. If it gives up, the error shows the condition and the last answer.
 */
export async function until<T>(ask: () => T | Promise<T>, isSo: (answer: T) => boolean): Promise<T> {
  const end = performance.now() + POLL_TIME_OUT_MS;
  for (let round = 0; ; round += 1) {
    const answer = await ask();
    if (isSo(answer)) return answer;
    if (performance.now() > end) throw new Error(`waited in vain for ${isSo}: ${shown(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, pauseAfter(round)));
  }
}

function shown(state: unknown): string {
  const text = typeof state === 'string' ? state : JSON.stringify(state, plain);
  return text === undefined ? 'undefined' : text.slice(0, MAX_SHOWN);
}

/** Replaces values that JSON has no form for. */
const plain = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value);
