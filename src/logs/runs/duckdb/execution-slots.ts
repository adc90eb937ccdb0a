// Execution slots: how many tasks of queries run at once, in DuckDB or in local threads. More than a few for each processor
// finish nothing sooner, but a thread that holds a lock of the process or of its memory then waits among all of them, and
// the thread that serves requests waits for that lock. A run that waits for its reader, or for records, holds no slot.
// A running task cannot be paused. Long runs therefore have slots of their own: a run that turns out to be long takes one of
// them, or, where none is free and other runs are queued, is preempted and begins again when there is one.

import { availableParallelism } from 'node:os';
import type { Clock } from '#kernel/time/clock.ts';
import { Preempted } from '#logs/log-store.ts';
import { Periodic } from '#runtime/periodic.ts';
import { Slots } from '#runtime/slots.ts';

const SAMPLE_PERIOD = Temporal.Duration.from({ milliseconds: 250 });
/** A run that was sampled so often while a task of it ran is long. */
const SAMPLES_UNTIL_LONG = 4;

interface RunWorkOptions {
  readonly account: string;
  readonly isLong: boolean;
  readonly signal: AbortSignal;
}

export class ExecutionSlots {
  readonly #clock: Clock;
  readonly #short: Slots;
  readonly #long: Slots;
  readonly #sampled = new Set<RunWork>();
  #sampling: Disposable | undefined;

  constructor(clock: Clock, processors = availableParallelism()) {
    this.#clock = clock;
    this.#short = new Slots({ perKey: processors, total: processors + 1, guaranteesOne: true });
    this.#long = new Slots({ perKey: processors + 1, total: 2 * processors, guaranteesOne: true });
  }

  get tasks(): { readonly running: number; readonly waiting: number } {
    const all = [this.#short, this.#long];
    const sum = (count: (slots: Slots) => number) => all.reduce((total, slots) => total + count(slots), 0);
    return { running: sum(({ inUse }) => inUse), waiting: sum(({ waiting }) => waiting) };
  }

  begin(options: RunWorkOptions): RunWork {
    return new RunWork(options, { short: this.#short, long: this.#long, watch: (run) => this.#watch(run) });
  }

  /** Samples a run as long as it has running tasks and is not known to be long. */
  #watch(run: RunWork): Disposable {
    if (this.#sampled.size === 0)
      this.#sampling = new Periodic({ clock: this.#clock, period: SAMPLE_PERIOD, work: () => this.#sample() });
    this.#sampled.add(run);
    return {
      [Symbol.dispose]: () => {
        this.#sampled.delete(run);
        if (this.#sampled.size === 0) this.#sampling?.[Symbol.dispose]();
      },
    };
  }

  #sample(): void {
    for (const run of this.#sampled) run.onSample();
  }
}

interface RunWorkDeps {
  readonly short: Slots;
  readonly long: Slots;
  watch(run: RunWork): Disposable;
}

/** The tasks of one run. */
export class RunWork {
  /** Ends the run in any state. */
  readonly signal: AbortSignal;
  readonly #account: string;
  readonly #deps: RunWorkDeps;
  readonly #stopping = new AbortController();
  /** Slots of the running tasks. */
  readonly #slots = new Set<{ held: Disposable }>();
  #isLong: boolean;
  #watching: Disposable | undefined;
  #isVisible = false;
  #samples = 0;

  constructor({ account, isLong, signal }: RunWorkOptions, deps: RunWorkDeps) {
    this.signal = AbortSignal.any([signal, this.#stopping.signal]);
    this.#account = account;
    this.#isLong = isLong;
    this.#deps = deps;
  }

  /** Runs a task of the run when there is a slot for it. */
  async runTask<T>(work: () => Promise<T>): Promise<T> {
    const { short, long, watch } = this.#deps;
    const slot = { held: await (this.#isLong ? long : short).acquire({ key: this.#account, signal: this.signal }) };
    this.#slots.add(slot);
    if (!this.#isLong) this.#watching ??= watch(this);
    try {
      return await work();
    } finally {
      this.#slots.delete(slot);
      slot.held[Symbol.dispose]();
      if (this.#slots.size === 0) this.#stopSampling();
    }
  }

  /** Its effects are visible: from now on the run cannot begin again. */
  markVisible(): void {
    this.#isVisible = true;
  }

  /** Called at every sample while a task of the run is running. */
  onSample(): void {
    this.#samples += 1;
    if (this.#isLong || this.#samples < SAMPLES_UNTIL_LONG || this.#stopping.signal.aborted) return;
    const { short, long } = this.#deps;
    const hasQueued = short.waiting > 0;
    for (const slot of this.#slots) {
      const other = long.tryAcquire(this.#account, { force: this.#isVisible && hasQueued });
      if (!other) {
        // A slot that no other run waits for need not be given up.
        if (hasQueued) this.#stopping.abort(new Preempted('others take long, too'));
        return;
      }
      slot.held[Symbol.dispose]();
      slot.held = other;
    }
    this.#isLong = true;
    this.#stopSampling();
  }

  #stopSampling(): void {
    this.#watching?.[Symbol.dispose]();
    this.#watching = undefined;
  }
}
