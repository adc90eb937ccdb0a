// Follows the enabled loggers of this node that collect by themselves: whatever is done to them takes effect at once. What
// other processes on the same database do is found by looking from time to time.

import type { JsonObject } from '#http/json-params.ts';
import { type Clock, within } from '#kernel/clock.ts';
import { assignmentsOf, textOf } from './assignment.ts';
import type { SharedCollectorDeps } from './collector.ts';
import { CollectorSupervisor, type LoggerState } from './collector-supervisor.ts';
import { type CollectedKind, readConfigs } from './configs.ts';

/** How often the assignments are looked at, because others may have changed them. */
const POLL_PERIOD = Temporal.Duration.from({ seconds: 5 });
/** How long is waited for what a logger has read to be kept, and for a change to take effect. */
const STOP_TIMEOUT = Temporal.Duration.from({ seconds: 10 });

const ABANDON_TIMEOUT = Temporal.Duration.from({ seconds: 1 });

export interface CollectorsDeps extends SharedCollectorDeps {
  readonly node: string;
}

export class Collectors {
  readonly #deps: CollectorsDeps;
  readonly #clock: Clock;
  readonly #supervisors = new Map<string, CollectorSupervisor>();
  readonly #polling: Disposable;
  #following: Promise<void> = Promise.resolve();
  #isClosed = false;
  /** Why the loggers could not be followed, the last time. */
  #error: unknown;

  constructor(deps: CollectorsDeps) {
    this.#deps = deps;
    this.#clock = deps.clock;
    this.#polling = deps.clock.every(POLL_PERIOD, () => {
      if (deps.store.isShared) void this.#follow().catch((error) => deps.failed(error));
    });
  }

  /** Something that loggers depend on was changed: resolves when that has taken effect. */
  async changed(): Promise<void> {
    const followed = this.#follow().catch((error) => this.#deps.failed(error));
    await within(this.#clock, STOP_TIMEOUT, followed, undefined);
  }

  /** Refuses a configuration that does not fit the kind. */
  requireConfigs(kind: CollectedKind, given: JsonObject): void {
    readConfigs(kind, given, this.#deps.folders);
  }

  /** Undefined for a logger that does not collect, at least not here. */
  stateOf(loggerGuid: string): LoggerState | undefined {
    return this.#supervisors.get(loggerGuid)?.state;
  }

  /** Rejects when loggers cannot be followed. */
  async check(): Promise<void> {
    if (this.#isClosed) throw new Error('collecting has ended');
    if (this.#error !== undefined) throw this.#error;
    const { store, node } = this.#deps;
    await store.read((db) => assignmentsOf(db, node));
  }

  /** Resolves when everything that was read is kept, or given up after a while. */
  async close(): Promise<void> {
    this.#polling[Symbol.dispose]();
    this.#isClosed = true;
    await this.#following.catch(() => undefined);
    await Promise.all([...this.#supervisors.keys()].map((guid) => this.#stop(guid)));
  }

  /** One after another, and a change that is waiting counts for all that come before it is looked at. */
  #follow(): Promise<void> {
    const follow = async () => {
      try {
        await this.#followOnce();
        this.#error = undefined;
      } catch (error) {
        this.#error = error;
        throw error;
      }
    };
    this.#following = this.#following.then(follow, follow);
    return this.#following;
  }

  async #followOnce(): Promise<void> {
    if (this.#isClosed) return;
    const { store, node } = this.#deps;
    const assignments = new Map((await store.read((db) => assignmentsOf(db, node))).map((one) => [one.guid, one]));
    const leaving = [...this.#supervisors].filter(([guid, { text }]) => {
      const assignment = assignments.get(guid);
      return !assignment || textOf(assignment) !== text;
    });
    await Promise.all(leaving.map(([guid]) => this.#stop(guid)));
    const beginning = [...assignments.values()].filter(({ guid }) => !this.#supervisors.has(guid));
    await Promise.all(
      beginning.map(async (assignment) => {
        const supervisor = new CollectorSupervisor(assignment, this.#deps);
        this.#supervisors.set(assignment.guid, supervisor);
        await supervisor.start();
      }),
    );
  }

  async #stop(guid: string): Promise<void> {
    const supervisor = this.#supervisors.get(guid);
    this.#supervisors.delete(guid);
    const hurry = new AbortController();
    const stopped = supervisor?.stop(hurry.signal);
    await supervisor?.drained;
    await within(this.#clock, STOP_TIMEOUT, Promise.resolve(stopped), undefined);
    hurry.abort();
    // Whoever waits for something that never comes is left behind.
    await within(this.#clock, ABANDON_TIMEOUT, Promise.resolve(stopped), undefined);
  }
}
