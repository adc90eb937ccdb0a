// Work in rounds, one round at a time, and rounds that a timer starts.

import type { Clock } from '#kernel/time/clock.ts';

/** Rounds of the same work. Two of them never overlap. */
export class Rounds<T = unknown> {
  readonly #work: () => T | Promise<T>;
  #current: Promise<T> | undefined;
  #following: Promise<T> | undefined;

  /** A round lasts as long as the promise that `work` returns; without one it is over at once. */
  constructor(work: () => T | Promise<T>) {
    this.#work = work;
  }

  get isRunning(): boolean {
    return this.#current !== undefined;
  }

  /** Settles with the round under way; starts one if there is none. */
  join(): Promise<T> {
    return this.#current ?? this.#start();
  }

  /** Settles with a round that begins after this call. Calls during a round share the one that follows it. */
  next(): Promise<T> {
    if (!this.#current) return this.join();
    this.#following ??= this.#follow(this.#current);
    return this.#following;
  }

  /** Resolves when no round is under way and none is due. Never rejects. */
  async ended(): Promise<void> {
    while (this.#current) await (this.#following ?? this.#current).catch(() => undefined);
  }

  #start(): Promise<T> {
    const result = this.#work();
    if (!(result instanceof Promise)) return Promise.resolve(result);
    this.#current = this.#untilOver(result);
    return this.#current;
  }

  async #untilOver(result: Promise<T>): Promise<T> {
    try {
      return await result;
    } finally {
      this.#current = undefined;
    }
  }

  async #follow(current: Promise<T>): Promise<T> {
    await current.catch(() => undefined);
    this.#following = undefined;
    return await this.join();
  }
}

export interface PeriodicOptions {
  readonly clock: Clock;
  readonly period: Temporal.Duration;
  /** A round lasts as long as the promise that it returns. */
  work(): unknown;
  /**
   * What happens when the period ends during a round: a further round follows it (`follow`, unless set), nothing (`join`), or
   * `work` is called all the same (`overlap`), for samples that must not wait for anything.
   */
  readonly during?: 'follow' | 'join' | 'overlap';
  /** Receives the failures of rounds that the timer has started. Without it they are errors of the process. */
  failed?(error: unknown): void;
}

/** A round at every period, until disposed. The timer never keeps the process alive. */
export class Periodic implements Disposable {
  readonly #rounds: Rounds;
  readonly #timer: Disposable;

  constructor({ clock, period, work, during = 'follow', failed }: PeriodicOptions) {
    const rounds = new Rounds(work);
    const ticks = { join: () => rounds.join(), follow: () => rounds.next(), overlap: work };
    this.#rounds = rounds;
    const tick = ticks[during];
    this.#timer = clock.every(period, failed ? () => settle(tick, failed) : tick);
  }

  /** A round now, or the one under way. */
  async join(): Promise<void> {
    await this.#rounds.join();
  }

  /** A round that begins after this call. */
  async next(): Promise<void> {
    await this.#rounds.next();
  }

  /** Starts no further round; one under way goes on. */
  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]();
  }

  /** Starts no further round, and resolves when the one under way has ended, failed or not. */
  async close(): Promise<void> {
    this[Symbol.dispose]();
    await this.#rounds.ended();
  }
}

/** For failures that were reported where they occurred, and whose work the next round repeats. */
export const ignoreFailure = (): void => undefined;

async function settle(tick: () => unknown, failed: (error: unknown) => void): Promise<void> {
  try {
    await tick();
  } catch (error) {
    failed(error);
  }
}
