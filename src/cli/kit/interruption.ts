// Being told to end: Ctrl-C, a terminal that is closed, a request of the system. The first is heard here, so that a
// command can put its things in order; the second ends the process at once, as ever.

import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

type Signal = (typeof SIGNALS)[number];

/** What tells a process of signals: the process, or a test. */
export interface SignalSource {
  on(signal: Signal, heard: (signal: Signal) => void): unknown;
  off(signal: Signal, heard: (signal: Signal) => void): unknown;
}

export class Interruption implements Disposable {
  readonly #source: SignalSource;
  readonly #controller = new AbortController();
  #heard: Signal | undefined;

  constructor(source: SignalSource = process) {
    this.#source = source;
    for (const signal of SIGNALS) source.on(signal, this.#hear);
  }

  /** Aborted with the first of them. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** What shells expect of a process that a signal has ended; undefined while there was none. */
  get exitCode(): number | undefined {
    return this.#heard && 128 + constants.signals[this.#heard];
  }

  /** Whether there is still somebody to talk to. */
  get isHeard(): boolean {
    return this.#heard !== 'SIGHUP';
  }

  [Symbol.dispose](): void {
    for (const signal of SIGNALS) this.#source.off(signal, this.#hear);
  }

  readonly #hear = (signal: Signal): void => {
    this[Symbol.dispose]();
    this.#heard = signal;
    this.#controller.abort();
  };
}
