// Shows the progress of an upload on one line of the terminal: bytes, rate and remaining time.

import type { Invocation } from '#cli/kit/command.ts';
import { clockText, sizeText } from '#cli/kit/output/numbers.ts';
import { type Clock, systemClock } from '#kernel/time/clock.ts';
import { Periodic } from '#runtime/periodic.ts';

const PERIOD = Temporal.Duration.from({ milliseconds: 250 });
const CLEAR_LINE = '\r\x1b[K';
const BAR_CELLS = 20;

export class TransferBar implements Disposable {
  readonly #invocation: Pick<Invocation, 'streams' | 'translator'>;
  readonly #file: { readonly name: string; readonly sizeBytes: number };
  readonly #clock: Clock;
  readonly #showing: Disposable | undefined;
  #begun: { at: Temporal.Instant; bytes: number } | undefined;
  #sent = 0;
  #isImporting = false;
  #isShown = false;

  constructor(
    invocation: Pick<Invocation, 'streams' | 'translator'>,
    file: { readonly name: string; readonly sizeBytes: number },
    clock = systemClock,
  ) {
    this.#invocation = invocation;
    this.#file = file;
    this.#clock = clock;
    const isSeen = invocation.streams.stderr.isTTY === true;
    this.#showing = isSeen ? new Periodic({ clock, period: PERIOD, work: () => this.#show() }) : undefined;
  }

  /** Bytes that the service has received, those of former attempts included. */
  sent(bytes: number): void {
    this.#begun ??= { at: this.#clock.now(), bytes };
    this.#sent = bytes;
  }

  importing(): void {
    this.#isImporting = true;
  }

  /** Counts from zero again: the upload begins with the first byte. */
  restart(): void {
    this.clear();
    this.#begun = undefined;
    this.#sent = 0;
    this.#isImporting = false;
  }

  [Symbol.dispose](): void {
    this.#showing?.[Symbol.dispose]();
    this.clear();
  }

  clear(): void {
    if (this.#isShown) this.#invocation.streams.stderr.write(CLEAR_LINE);
    this.#isShown = false;
  }

  #show(): void {
    this.#invocation.streams.stderr.write(`${CLEAR_LINE}${this.#text()}`);
    this.#isShown = true;
  }

  #text(): string {
    const { translator } = this.#invocation;
    const { name: file, sizeBytes } = this.#file;
    const size = sizeText(sizeBytes);
    if (this.#isImporting) return translator.text('import-importing', { file, size });
    const share = sizeBytes === 0 ? 1 : this.#sent / sizeBytes;
    const rate = this.#rate();
    const cells = Math.floor(share * BAR_CELLS);
    return translator.text('import-progress', {
      file,
      bar: `[${'#'.repeat(cells)}${'-'.repeat(BAR_CELLS - cells)}]`,
      percent: String(Math.floor(share * 100)),
      sent: sizeText(this.#sent),
      size,
      rate: sizeText(rate),
      left: rate === 0 ? '-:--' : clockText((sizeBytes - this.#sent) / rate),
    });
  }

  /** Bytes per second of this attempt. */
  #rate(): number {
    if (!this.#begun) return 0;
    const seconds = this.#begun.at.until(this.#clock.now()).total('seconds');
    return seconds === 0 ? 0 : (this.#sent - this.#begun.bytes) / seconds;
  }
}
