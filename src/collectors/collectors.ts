// Follows the enabled loggers of this node that collect by themselves: whatever is done to them takes effect at once. What
// other processes on the same database do is found by looking from time to time.

import type { JsonObject } from '#http/json-params.ts';
import { type Clock, withTimeout } from '#kernel/clock.ts';
import { assignmentsOf, textOf } from './assignment.ts';
import type { CollectingParts } from './collector.ts';
import { type CollectedKind, readConfigs } from './configs.ts';
import { type LoggerState, Supervised } from './supervised.ts';

/** How often the assignments are looked at, because others may have changed them. */
const LOOK_PERIOD = Temporal.Duration.from({ seconds: 5 });
/** How long is waited for what a logger has read to be kept, and for a change to take effect. */
const TIMEOUT = Temporal.Duration.from({ seconds: 10 });

const LAST_TIMEOUT = Temporal.Duration.from({ seconds: 1 });

export interface CollectorsParts extends CollectingParts {
  readonly node: string;
}

export class Collectors {
  readonly #parts: CollectorsParts;
  readonly #clock: Clock;
  readonly #working = new Map<string, Supervised>();
  readonly #looking: Disposable;
  #following: Promise<void> = Promise.resolve();
  #isClosed = false;
  /** Why the loggers could not be followed, the last time. */
  #trouble: unknown;

  constructor(parts: CollectorsParts) {
    this.#parts = parts;
    this.#clock = parts.clock;
    this.#looking = parts.clock.every(LOOK_PERIOD, () => {
      if (parts.store.isShared) void this.#follow().catch((error) => parts.failed(error));
    });
  }

  /** Something that loggers depend on was changed: resolves when that has taken effect. */
  async changed(): Promise<void> {
    const followed = this.#follow().catch((error) => this.#parts.failed(error));
    await withTimeout(this.#clock, TIMEOUT, followed, undefined);
  }

  /** Refuses a configuration that does not fit the kind. */
  requireConfigs(kind: CollectedKind, given: JsonObject): void {
    readConfigs(kind, given, this.#parts.folders);
  }

  /** Undefined for a logger that does not collect, at least not here. */
  stateOf(loggerGuid: string): LoggerState | undefined {
    return this.#working.get(loggerGuid)?.state;
  }

  /** Rejects when loggers cannot be followed. */
  async check(): Promise<void> {
    if (this.#isClosed) throw new Error('collecting has ended');
    if (this.#trouble !== undefined) throw this.#trouble;
    const { store, node } = this.#parts;
    await store.read((db) => assignmentsOf(db, node));
  }

  /** Resolves when everything that was read is kept, or given up after a while. */
  async close(): Promise<void> {
    this.#looking[Symbol.dispose]();
    this.#isClosed = true;
    await this.#following.catch(() => undefined);
    await Promise.all([...this.#working.keys()].map((guid) => this.#stop(guid)));
  }

  /** One after another, and a change that is waiting counts for all that come before it is looked at. */
  #follow(): Promise<void> {
    const follow = async () => {
      try {
        await this.#followOnce();
        this.#trouble = undefined;
      } catch (error) {
        this.#trouble = error;
        throw error;
      }
    };
    this.#following = this.#following.then(follow, follow);
    return this.#following;
  }

  async #followOnce(): Promise<void> {
    if (this.#isClosed) return;
    const { store, node } = this.#parts;
    const assignments = new Map((await store.read((db) => assignmentsOf(db, node))).map((one) => [one.guid, one]));
    const leaving = [...this.#working].filter(([guid, { text }]) => {
      const assignment = assignments.get(guid);
      return !assignment || textOf(assignment) !== text;
    });
    await Promise.all(leaving.map(([guid]) => this.#stop(guid)));
    const beginning = [...assignments.values()].filter(({ guid }) => !this.#working.has(guid));
    await Promise.all(
      beginning.map(async (assignment) => {
        const supervised = new Supervised(assignment, this.#parts);
        this.#working.set(assignment.guid, supervised);
        await supervised.start();
      }),
    );
  }

  async #stop(guid: string): Promise<void> {
    const supervised = this.#working.get(guid);
    this.#working.delete(guid);
    const hurry = new AbortController();
    const stopped = supervised?.stop(hurry.signal);
    await supervised?.drained;
    await withTimeout(this.#clock, TIMEOUT, Promise.resolve(stopped), undefined);
    hurry.abort();
    // Whoever waits for something that never comes is left behind.
    await withTimeout(this.#clock, LAST_TIMEOUT, Promise.resolve(stopped), undefined);
  }
}
