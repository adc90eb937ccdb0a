// How far a verification is: a line of the terminal that is redrawn every second; a line of its own each minute where standard error is
// no terminal.

import type { Invocation } from '#cli/kit/command.ts';
import { clockText, countText } from '#cli/kit/output/numbers.ts';
import { type Clock, systemClock } from '#kernel/time/clock.ts';
import { Periodic } from '#runtime/periodic.ts';
import type { Findings } from '#verification/verification.ts';

const REDRAWN = Temporal.Duration.from({ seconds: 1 });
const LISTED = Temporal.Duration.from({ minutes: 1 });
const CLEAR_LINE = '\r\x1b[K';

export class VerifyProgress implements Disposable {
  readonly #invocation: Invocation;
  readonly #clock: Clock;
  readonly #end: Temporal.Instant;
  readonly #timer: Disposable;
  #findings: Findings | undefined;
  #isShown = false;

  constructor(invocation: Invocation, length: Temporal.Duration, clock: Clock = systemClock) {
    this.#invocation = invocation;
    this.#clock = clock;
    this.#end = clock.now().add(length);
    this.#timer = new Periodic({ clock, period: this.#isTerminal ? REDRAWN : LISTED, work: () => this.#write() });
  }

  tell(findings: Findings): void {
    this.#findings = findings;
  }

  clear(): void {
    this.#timer[Symbol.dispose]();
    if (this.#isShown) this.#invocation.streams.stderr.write(CLEAR_LINE);
    this.#isShown = false;
  }

  [Symbol.dispose](): void {
    this.clear();
  }

  get #isTerminal(): boolean {
    return this.#invocation.streams.stderr.isTTY === true;
  }

  #write(): void {
    const { translator, streams, note } = this.#invocation;
    const { pipelines = 0, rows = 0, disagreements = 0 } = this.#findings ?? {};
    const left = Math.max(0, this.#end.since(this.#clock.now()).total('seconds'));
    const line = translator.text('verify-engine-running', {
      pipelines: countText(pipelines),
      rows: countText(rows),
      disagreements: countText(disagreements),
      left: clockText(left),
    });
    if (this.#isTerminal) streams.stderr.write(`${CLEAR_LINE}${line}`);
    else note(line);
    this.#isShown = this.#isTerminal;
  }
}
