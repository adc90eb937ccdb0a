// Signals that end a command: Ctrl-C, a closed terminal, a request of the system. The first signal is caught, so that a
// command can cancel its query and remove its files; a second one ends the process at once.

import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

type Signal = (typeof SIGNALS)[number];

/** Emits signals: the process, or a test. */
interface SignalSource {
  on(signal: Signal, heard: (signal: Signal) => void): unknown;
  off(signal: Signal, heard: (signal: Signal) => void): unknown;
}

export class Interruption implements Disposable {
  readonly #source: SignalSource;
  readonly #controller = new AbortController();
  #ignored: Signal | undefined;
  #heard: Signal | undefined;

  constructor(source: SignalSource = process) {
    this.#source = source;
    for (const signal of SIGNALS) source.on(signal, this.#hear);
  }

  /** Aborted by the first signal. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** By the convention of shells, 128 plus the number of the signal; undefined before any signal. */
  get exitCode(): number | undefined {
    return this.#heard && 128 + constants.signals[this.#heard];
  }

  /** False once the terminal is closed: nothing more can be written to it. */
  get hasTerminal(): boolean {
    return this.#heard !== 'SIGHUP';
  }

  /** Ctrl-C reaches every program on the terminal: one that was given the terminal handles it until this is disposed. */
  ignoreCtrlC(): Disposable {
    this.#ignored = 'SIGINT';
    return {
      [Symbol.dispose]: () => {
        this.#ignored = undefined;
      },
    };
  }

  [Symbol.dispose](): void {
    for (const signal of SIGNALS) this.#source.off(signal, this.#hear);
  }

  readonly #hear = (signal: Signal): void => {
    if (signal === this.#ignored) return;
    this[Symbol.dispose]();
    this.#heard = signal;
    this.#controller.abort();
  };
}
