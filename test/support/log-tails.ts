// The last lines that the services of a test have logged, in memory: they are reported if the test fails. Files share a process,
// and so do the services that one of them leaves running.

import { type ServiceLog, silentLog } from '#app/service-log.ts';

/** Lines that are kept of each service. */
const KEPT = 200;

interface Tail {
  readonly name: string;
  lines(): readonly string[];
  isOver(): boolean;
}

/** The lines of one service. */
export interface ReportedTail {
  readonly name: string;
  readonly lines: readonly string[];
}

const TAILS = Symbol.for('vigil.log-tails');
/** The one object that all files of a process see. */
const shared = globalThis as { [TAILS]?: Set<Tail> };
shared[TAILS] ??= new Set();
const tails = shared[TAILS];

/** Keeps the last values that it is given. */
export class Last<T> {
  readonly #values: T[] = [];
  readonly #most: number;
  #oldest = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(value: T): void {
    if (this.#values.length < this.#most) {
      this.#values.push(value);
      return;
    }
    this.#values[this.#oldest] = value;
    this.#oldest = (this.#oldest + 1) % this.#most;
  }

  all(): readonly T[] {
    return [...this.#values.slice(this.#oldest), ...this.#values.slice(0, this.#oldest)];
  }
}

interface LogLine {
  readonly atMs: number;
  readonly level: string;
  readonly fields: object;
  readonly message: string;
}

/** A service log that passes on to `log` and keeps its last lines until the first test after it was disposed. */
export function keepTail(name: string, log: ServiceLog = silentLog): ServiceLog & Disposable {
  const last = new Last<LogLine>(KEPT);
  let isOver = false;
  const keeping = (level: 'info' | 'warn' | 'error') => (fields: object, message: string) => {
    last.add({ atMs: Date.now(), level, fields, message });
    log[level](fields, message);
  };
  tails.add({ name, lines: () => last.all().map(textOf), isOver: () => isOver });
  return {
    info: keeping('info'),
    warn: keeping('warn'),
    error: keeping('error'),
    flush: () => log.flush(),
    [Symbol.dispose]() {
      isOver = true;
    },
  };
}

const textOf = ({ atMs, level, fields, message }: LogLine): string =>
  `${new Date(atMs).toISOString()} ${level} ${message} ${JSON.stringify(fields)}`;

/** The output of a process; `read` returns all of it. */
export function keepOutput(name: string, read: () => string, isOver: () => boolean): void {
  tails.add({ name, lines: () => read().split('\n').filter(Boolean).slice(-KEPT), isOver });
}

/** Forgets services that ended before now. Those that end later belong to the next test. */
export function forgetEndedTails(): void {
  for (const tail of tails) if (tail.isOver()) tails.delete(tail);
}

/** Called after each file. */
export const forgetTails = (): void => tails.clear();

export const lastLines = (count: number): readonly ReportedTail[] =>
  [...tails].map(({ name, lines }) => ({ name, lines: lines().slice(-count) }));
