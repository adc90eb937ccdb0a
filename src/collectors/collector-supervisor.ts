// One logger at work. Its collector is opened, and opened anew, ever later, whenever it could not be or has broken down.

import { ApiError, databaseUnreachable, noSpaceLeft, notFound } from '#contract/errors.ts';
import { isOutOfDescriptors } from '#files/descriptors.ts';
import { destinationOf } from '#ingest/target.ts';
import { isOutOfSpace } from '#store/no-space.ts';
import { StoreUnreachable } from '#store/unreachable.ts';
import { type Assignment, textOf } from './assignment.ts';
import { backOff } from './back-off.ts';
import { type Collector, type CollectorDeps, CollectorError, type SharedCollectorDeps } from './collector.ts';
import { isCollected, readConfigs } from './configs.ts';
import { LogBuilder } from './log-builder.ts';

export interface LoggerState {
  readonly isRunning: boolean;
  /** Why it does not run. */
  readonly failure: string | null;
}

export class CollectorSupervisor {
  /** What it works on, to tell whether that has changed. */
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

  /** Resolves when it was tried once. */
  async start(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#working = this.#work(resolve);
    await promise;
  }

  /** Resolves when everything that was read is kept; when `hurry` is aborted the rest is given up. */
  async stop(hurry: AbortSignal): Promise<void> {
    this.#abandon = hurry;
    this.#stopping.abort();
    await this.#working;
  }

  /** Resolves when its senders have stopped, or are not listened to any longer: from then on only what was read is kept. */
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
    const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    for (let tries = 0; !signal.aborted; tries += 1) {
      try {
        const collector = await this.#open();
        this.#collector = collector;
        this.#setFailure(undefined);
        tries = 0;
        tried();
        await Promise.race([collector.broken, stopped]);
        return await this.#close();
      } catch (error) {
        this.#report(error);
        await this.#close();
      }
      tried();
      await this.#deps.clock.sleep(backOff(tries), signal);
    }
  }

  /** One that has broken down keeps what it can. */
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

  /** A logger that has just been opened is told of once, too: it may have failed before the service began. */
  #setFailure(failure: string | undefined): void {
    const isKnown = this.#isReported && (this.#failure === undefined) === (failure === undefined);
    this.#failure = failure;
    this.#isReported = true;
    if (!isKnown) this.#deps.state(this.#assignment, failure);
  }
}

/** What the system refuses, in words; anything else as it is. */
function describedFailure(failure: unknown): unknown {
  if (isOutOfSpace(failure)) return noSpaceLeft('metadata');
  if (failure instanceof StoreUnreachable) return databaseUnreachable();
  return isOutOfDescriptors(failure) ? new CollectorError('too many open files', { cause: failure }) : failure;
}
