// Supervises the collector of one logger: reopens it with back-off whenever it fails.

import { ApiError, databaseUnreachable, noSpaceLeft, notFound } from '#contract/errors.ts';
import { isOutOfDescriptors } from '#files/descriptors.ts';
import { destinationOf } from '#ingest/target.ts';
import { type Attempts, retry } from '#runtime/retry.ts';
import { isOutOfSpace } from '#store/no-space.ts';
import { StoreUnreachable } from '#store/unreachable.ts';
import { type Assignment, textOf } from './assignment.ts';
import { BACK_OFF } from './back-off.ts';
import { type Collector, type CollectorDeps, CollectorError, type SharedCollectorDeps } from './collector.ts';
import { isCollected, readConfigs } from './configs/configs.ts';
import { LogBuilder } from './messages/log-builder.ts';

export interface LoggerState {
  readonly isRunning: boolean;
  /** Null while the logger works. */
  readonly failure: string | null;
}

export class CollectorSupervisor {
  /** Text of the assignment, to detect changes. */
  readonly text: string;
  readonly #assignment: Assignment;
  readonly #deps: SharedCollectorDeps;
  readonly #stopping = new AbortController();
  #collector: Collector | undefined;
  #failure: string | undefined;
  #isReported = false;
  #working: Promise<void> = Promise.resolve();
  #abandon: AbortSignal = AbortSignal.abort();
  readonly #drained = Promise.withResolvers<void>();

  constructor(assignment: Assignment, deps: SharedCollectorDeps) {
    this.text = textOf(assignment);
    this.#assignment = assignment;
    this.#deps = deps;
  }

  get state(): LoggerState {
    return { isRunning: this.#collector !== undefined && this.#failure === undefined, failure: this.#failure ?? null };
  }

  /** Resolves after the first attempt. */
  async start(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#working = this.#work(resolve);
    await promise;
  }

  /** Resolves when all read messages are stored; the abort of `abandon` drops the rest. */
  async stop(abandon: AbortSignal): Promise<void> {
    this.#abandon = abandon;
    this.#stopping.abort();
    await this.#working;
  }

  /** Resolves when senders have stopped or are disconnected: from then on only read messages are stored. */
  get drained(): Promise<void> {
    return this.#drained.promise;
  }

  async #work(tried: () => void): Promise<void> {
    try {
      await this.#workUntilStopped(tried);
    } finally {
      this.#drained.resolve();
    }
  }

  async #workUntilStopped(tried: () => void): Promise<void> {
    const { signal } = this.#stopping;
    const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => stop());
    const work = async ({ startOver }: Attempts) => {
      try {
        const collector = await this.#open();
        this.#collector = collector;
        this.#setFailure(undefined);
        startOver();
        tried();
        await Promise.race([collector.broken, stopped]);
      } catch (error) {
        this.#report(error);
        throw error;
      } finally {
        await this.#close();
      }
    };
    const { clock } = this.#deps;
    // Rejects only when it is stopped after a failure, which is reported by then.
    await retry(work, { clock, delays: BACK_OFF, signal, failed: tried }).catch(() => undefined);
  }

  /** A failed collector still stores what it has read. */
  async #close(): Promise<void> {
    const collector = this.#collector;
    this.#collector = undefined;
    await collector?.drain?.().catch((error) => this.#deps.failed(error));
    if (this.#stopping.signal.aborted) this.#drained.resolve();
    await collector?.close(this.#abandon).catch((error) => this.#deps.failed(error));
  }

  async #open(): Promise<Collector> {
    const { guid, table_name, logger_factory_name: kind } = this.#assignment;
    if (!isCollected(kind)) throw new Error(`logger ${guid} collects nothing`);
    const destination = destinationOf(this.#assignment);
    if (!destination) throw notFound('table', table_name);
    const configs = readConfigs(kind, JSON.parse(this.#assignment.configs ?? '{}'), this.#deps.folders);
    const deps: CollectorDeps = {
      ...this.#deps,
      assignment: this.#assignment,
      destination,
      logBuilder: new LogBuilder(this.#deps.readers, this.#assignment, this.#deps.zone),
      report: (failure) => this.#report(failure),
    };
    switch (configs.kind) {
      case 'syslog-udp':
        return await (await import('./syslog/udp.ts')).openUdp(configs, deps);
      case 'syslog-tcp':
        return await (await import('./syslog/tcp.ts')).openTcp(configs, deps);
      case 'syslog-tls':
        return await (await import('./syslog/tls.ts')).openTls(configs, deps);
      case 'file':
        return await (await import('./files/follower.ts')).openFollower(configs, deps);
    }
  }

  #report(failure: unknown): void {
    if (failure === undefined) {
      this.#setFailure(undefined);
      return;
    }
    const known = describedFailure(failure);
    const isForeseen = known instanceof CollectorError || known instanceof ApiError;
    this.#setFailure(isForeseen ? known.message : 'internal error');
    if (!isForeseen) this.#deps.failed(failure);
  }

  /** The first state is always reported: the logger may have failed before the service started. */
  #setFailure(failure: string | undefined): void {
    const isKnown = this.#isReported && (this.#failure === undefined) === (failure === undefined);
    this.#failure = failure;
    this.#isReported = true;
    if (!isKnown) this.#deps.state(this.#assignment, failure);
  }
}

/** Maps errors of the system to described errors; other errors pass unchanged. */
function describedFailure(failure: unknown): unknown {
  if (isOutOfSpace(failure)) return noSpaceLeft('metadata');
  if (failure instanceof StoreUnreachable) return databaseUnreachable();
  return isOutOfDescriptors(failure) ? new CollectorError('too many open files', { cause: failure }) : failure;
}
