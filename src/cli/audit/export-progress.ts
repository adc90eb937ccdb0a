// Shows how many entries an export has written, on one line of the terminal that is redrawn in place.

import type { Invocation } from '#cli/kit/command.ts';
import { systemClock } from '#kernel/time/clock.ts';
import { Periodic } from '#runtime/periodic.ts';

/** Also the time before the first line: a short export shows none. */
const PERIOD = Temporal.Duration.from({ seconds: 1 });
const NEWLINE = 0x0a;
const CLEAR_LINE = '\r\x1b[K';

export class ExportProgress implements Disposable {
  readonly #invocation: Invocation;
  readonly #timer: Disposable | undefined;
  #lines = 0;
  #isShown = false;

  constructor(invocation: Invocation, clock = systemClock) {
    const { streams, flags } = invocation;
    this.#invocation = invocation;
    // An export to the terminal shows its own lines.
    const isSeen = streams.stderr.isTTY === true && (flags.output !== undefined || streams.stdout.isTTY !== true);
    this.#timer = isSeen ? new Periodic({ clock, period: PERIOD, work: () => this.#write() }) : undefined;
  }

  get lines(): number {
    return this.#lines;
  }

  async *counting(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) this.#lines += 1;
      yield chunk;
    }
  }

  clear(): void {
    this.#timer?.[Symbol.dispose]();
    if (this.#isShown) this.#invocation.streams.stderr.write(CLEAR_LINE);
    this.#isShown = false;
  }

  [Symbol.dispose](): void {
    this.clear();
  }

  #write(): void {
    const { translator, streams } = this.#invocation;
    streams.stderr.write(`${CLEAR_LINE}${translator.text('exporting', { entries: String(this.#lines) })}`);
    this.#isShown = true;
  }
}
