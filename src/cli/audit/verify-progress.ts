// Shows the progress of a long verification on one line of the terminal. Reading a file never yields, so no timer would
// fire: the time is checked between pages.

import { performance } from 'node:perf_hooks';
import type { Invocation } from '#cli/kit/command.ts';

const PERIOD_MS = 1000;
const CLEAR_LINE = '\r\x1b[K';

/** Passes pages on and shows the number of entries so far, of `total` or more. */
export async function* withProgress<T>(
  pages: AsyncIterable<readonly T[]>,
  { streams, translator }: Pick<Invocation, 'streams' | 'translator'>,
  total: number,
): AsyncGenerator<readonly T[]> {
  const { stderr } = streams;
  let entries = 0;
  let said = performance.now();
  let isShown = false;
  try {
    for await (const page of pages) {
      yield page;
      entries += page.length;
      if (!stderr.isTTY || performance.now() - said < PERIOD_MS) continue;
      said = performance.now();
      isShown = true;
      const values = { entries: String(entries), total: String(Math.max(total, entries)) };
      stderr.write(`${CLEAR_LINE}${translator.text('verify-progress', values)}`);
    }
  } finally {
    if (isShown) stderr.write(CLEAR_LINE);
  }
}
