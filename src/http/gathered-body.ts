// A body that is made piece by piece. Most are small and whole within a moment: those leave in one piece, with their length,
// because a stream of several packets costs the service and its client a millisecond more.

import { Readable } from 'node:stream';
import { systemClock } from '#kernel/clock.ts';

type Read = Promise<IteratorResult<string>>;

/** Nobody notices that a first piece waits so long. Of real time, also where the service has another clock. */
const HOLD = Temporal.Duration.from({ milliseconds: 3 });
const MAX_HELD = 65_536;

/** A stream where the body is not whole soon: of what has come, and of the rest as it comes. */
export async function gathered(body: AsyncIterable<string>): Promise<Buffer | Readable> {
  const reading = body[Symbol.asyncIterator]();
  const pieces: string[] = [];
  const over = new AbortController();
  const late = systemClock.sleep(HOLD, over.signal);
  try {
    for (let held = 0; held < MAX_HELD; ) {
      const next = reading.next();
      // An error is that of the stream: behind a piece it breaks the answer off.
      const found = await Promise.race([next.catch(() => undefined), late]);
      if (!found) return streamed(reading, [...whole(pieces), next]);
      // Bytes, because Fastify would add a charset to the type of a text.
      if (found.done) return Buffer.from(pieces.join(''));
      pieces.push(found.value);
      held += found.value.length;
    }
    return streamed(reading, whole(pieces));
  } finally {
    over.abort();
  }
}

const whole = (pieces: readonly string[]): Read[] =>
  pieces.length === 0 ? [] : [Promise.resolve({ value: pieces.join('') })];

/** Not a generator: one that never started would not pass on that nobody reads. */
function streamed(reading: AsyncIterator<string>, read: Read[]): Readable {
  const iterator: AsyncIterator<string> = {
    next: () => read.shift() ?? reading.next(),
    return: () => reading.return?.() ?? Promise.resolve({ done: true, value: undefined }),
  };
  return Readable.from({ [Symbol.asyncIterator]: () => iterator });
}
