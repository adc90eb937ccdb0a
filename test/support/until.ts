// Polls until a condition holds. `expect.poll` does the same for an expectation; this returns the state that fulfils it.

import { POLL_TIME_OUT_MS } from './time-out.ts';

/** Characters of a state, and of a function. */
const MAX_STATE = 4000;
const MAX_CODE = 500;

/** Polls often at first, then more rarely: requests take the processor from the work that they wait for. */
const pauseAfter = (round: number): number => Math.min(10 + round, 100);

/**
 * Asks again until `isSo`, and returns the answer that is. If it gives up, the error shows the condition and the last answer.
 */
export async function until<T>(ask: () => T | Promise<T>, isSo: (answer: T) => boolean): Promise<T> {
  const end = performance.now() + POLL_TIME_OUT_MS;
  for (let round = 0; ; round += 1) {
    const answer = await ask();
    if (isSo(answer)) return answer;
    if (performance.now() > end) throw new Error(inVain(ask, isSo, answer));
    await new Promise((resolve) => setTimeout(resolve, pauseAfter(round)));
  }
}

function inVain(ask: unknown, isSo: unknown, state: unknown): string {
  const text = typeof state === 'string' ? state : (JSON.stringify(state, plain) ?? 'undefined');
  const [asked, condition] = [ask, isSo].map((code) => String(code).slice(0, MAX_CODE));
  return `waited in vain for ${condition}\nof ${asked}\nThe last state is ${text.slice(0, MAX_STATE)}`;
}

/** Replaces values that JSON has no form for. */
const plain = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value);
