// How many pieces of queries are worked on at once, be it in DuckDB or in threads of the host. Beyond a few for each
// processor nothing is done sooner, but whoever holds a lock of the process or of its memory then waits for its turn among
// all of them, and with it the thread that answers everybody. A run that waits for its reader, or for records, has no place.
// Nothing that is at work can be paused. So that those that take long leave room for others, they have places of their own: a
// run that turns out to be one of them takes one, or, where there is none and others wait, begins again when there is.

import { availableParallelism } from 'node:os';
import { Preempted } from '#engines/engine.ts';
import type { Clock } from '#kernel/clock.ts';
import { FairSlots } from '#kernel/fair-slots.ts';

const SAMPLE_PERIOD = Temporal.Duration.from({ milliseconds: 250 });
/** A run that was found at work by so many looks takes long. */
const SAMPLES_UNTIL_LONG = 4;

interface RunWorkOptions {
  readonly account: string;
  readonly isLong: boolean;
  readonly signal: AbortSignal;
}

export class ExecutionSlots {
  readonly #clock: Clock;
  readonly #short: FairSlots;
  readonly #long: FairSlots;
  readonly #looked = new Set<RunWork>();
  #looking: Disposable | undefined;

  constructor(clock: Clock, processors = availableParallelism()) {
    this.#clock = clock;
    this.#short = new FairSlots({ perAccount: processors, total: processors + 1, guaranteesOne: true });
    this.#long = new FairSlots({ perAccount: processors + 1, total: 2 * processors, guaranteesOne: true });
  }

  get tasks(): { readonly running: number; readonly waiting: number } {
    const all = [this.#short, this.#long];
    const sum = (count: (places: FairSlots) => number) => all.reduce((total, places) => total + count(places), 0);
    return { running: sum(({ inUse }) => inUse), waiting: sum(({ waiting }) => waiting) };
  }

  /** For a run. */
  begin(of: RunWorkOptions): RunWork {
    return new RunWork(of, { short: this.#short, long: this.#long, watch: (run) => this.#watch(run) });
  }

  /** For as long as a piece is at work that may turn out to take long. */
  #watch(run: RunWork): Disposable {
    if (this.#looked.size === 0) this.#looking = this.#clock.every(SAMPLE_PERIOD, () => this.#look());
    this.#looked.add(run);
    return {
      [Symbol.dispose]: () => {
        this.#looked.delete(run);
        if (this.#looked.size === 0) this.#looking?.[Symbol.dispose]();
      },
    };
  }

  #look(): void {
    for (const run of this.#looked) run.onSample();
  }
}

interface RunWorkDeps {
  readonly short: FairSlots;
  readonly long: FairSlots;
  watch(run: RunWork): Disposable;
}

/** The work of one run. */
export class RunWork {
  /** Ends it, whatever it is at. */
  readonly signal: AbortSignal;
  readonly #account: string;
  readonly #deps: RunWorkDeps;
  readonly #stopping = new AbortController();
  /** Places of the pieces at work. */
  readonly #places = new Set<{ held: Disposable }>();
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

  /** Does a piece of it when there is a place. */
  async runTask<T>(work: () => Promise<T>): Promise<T> {
    const { short, long, watch } = this.#deps;
    const place = { held: await (this.#isLong ? long : short).acquire(this.#account, this.signal) };
    this.#places.add(place);
    if (!this.#isLong) this.#watching ??= watch(this);
    try {
      return await work();
    } finally {
      this.#places.delete(place);
      place.held[Symbol.dispose]();
      if (this.#places.size === 0) this.#unwatched();
    }
  }

  /** From now on it cannot begin again. */
  markVisible(): void {
    this.#isVisible = true;
  }

  /** Somebody has looked, and found it at work. */
  onSample(): void {
    this.#samples += 1;
    if (this.#isLong || this.#samples < SAMPLES_UNTIL_LONG || this.#stopping.signal.aborted) return;
    const { short, long } = this.#deps;
    const isAwaited = short.waiting > 0;
    for (const place of this.#places) {
      const other = long.tryAcquire(this.#account, { force: this.#isVisible && isAwaited });
      if (!other) {
        // Where nobody else wants its place, it is in nobody's way.
        if (isAwaited) this.#stopping.abort(new Preempted('others take long, too'));
        return;
      }
      place.held[Symbol.dispose]();
      place.held = other;
    }
    this.#isLong = true;
    this.#unwatched();
  }

  #unwatched(): void {
    this.#watching?.[Symbol.dispose]();
    this.#watching = undefined;
  }
}
