// Starts and stops the collectors of the enabled loggers of this node. Changes on this node take effect at once; those of others
// are followed within a second.

import type { Nodes } from '#cluster/members/membership.ts';
import { type Clock, withTimeout } from '#kernel/time/clock.ts';
import type { JsonObject } from '#operations/params/json-params.ts';
import { Serial } from '#runtime/serial.ts';
import { assignmentsOf, textOf } from './assignment.ts';
import type { SharedCollectorDeps } from './collector.ts';
import { CollectorSupervisor, type LoggerState } from './collector-supervisor.ts';
import { type CollectedKind, readConfigs } from './configs/configs.ts';

/** Maximum wait for read messages to be stored, and for a change to take effect. */
const STOP_TIMEOUT = Temporal.Duration.from({ seconds: 10 });

const ABANDON_TIMEOUT = Temporal.Duration.from({ seconds: 1 });

interface CollectorsDeps extends SharedCollectorDeps {
  readonly node: Nodes['own'];
}

export class Collectors {
  readonly #deps: CollectorsDeps;
  readonly #clock: Clock;
  readonly #supervisors = new Map<string, CollectorSupervisor>();
  readonly #following = new Serial();
  #isClosed = false;
  /** Error of the last update. */
  #error: unknown;

  constructor(deps: CollectorsDeps) {
    this.#deps = deps;
    this.#clock = deps.clock;
  }

  /** Called after a change that loggers depend on; resolves when it has taken effect. */
  async changed(): Promise<void> {
    const followed = this.follow().catch((error) => this.#deps.failed(error));
    await withTimeout(this.#clock, STOP_TIMEOUT, followed, undefined);
  }

  /** Refuses a configuration that does not fit the kind. */
  requireConfigs(kind: CollectedKind, given: JsonObject): void {
    readConfigs(kind, given, this.#deps.folders);
  }

  /** Refuses a valid configuration whose certificates do not exist. */
  async requireCertificates(kind: CollectedKind, given: JsonObject): Promise<void> {
    const configs = readConfigs(kind, given, this.#deps.folders);
    if (configs.kind === 'syslog-tls') await this.#deps.certificates.require(configs);
  }

  /** Undefined for a logger that does not collect on this node. */
  stateOf(loggerGuid: string): LoggerState | undefined {
    return this.#supervisors.get(loggerGuid)?.state;
  }

  /** Rejects when assignments cannot be read. */
  async check(): Promise<void> {
    if (this.#isClosed) throw new Error('collecting has ended');
    if (this.#error !== undefined) throw this.#error;
    const { store, node } = this.#deps;
    await store.read((db) => assignmentsOf(db, node));
  }

  /** Resolves when all read messages are stored, or dropped after a timeout. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#following.ended();
    await Promise.all([...this.#supervisors.keys()].map((guid) => this.#stop(guid)));
  }

  /** Another node has changed what loggers depend on. Rejects when it cannot be read. Updates run one after another. */
  follow(): Promise<void> {
    return this.#following.run(async () => {
      try {
        await this.#followOnce();
        this.#error = undefined;
      } catch (error) {
        this.#error = error;
        throw error;
      }
    });
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
    const abandon = new AbortController();
    const stopped = supervisor?.stop(abandon.signal);
    await supervisor?.drained;
    await withTimeout(this.#clock, STOP_TIMEOUT, Promise.resolve(stopped), undefined);
    abandon.abort();
    // A collector that still waits is abandoned.
    await withTimeout(this.#clock, ABANDON_TIMEOUT, Promise.resolve(stopped), undefined);
  }
}
