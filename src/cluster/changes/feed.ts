// What other processes have changed on a shared database. The numbers of changes (changes.ts) are read once a second, and at once
// when a commit is told; a number that this process has not given itself means that others have changed that kind. Numbers are
// states and no messages: however long a process could not read them, it finds every kind that has changed since. Numbers only grow,
// so the sum of those that requests wait for is the age of a state: a request that was told a sum can wait until a part has followed
// as far. Only a failover that loses commits lowers them: then all parts read again.

import { type Clock, systemClock } from '#kernel/time/clock.ts';
import { Periodic } from '#runtime/periodic.ts';
import type { Store } from '#store/store.ts';
import { AWAITED_KINDS, type AwaitedKind, ChangedKinds, type ChangeKind } from './changes.ts';

const PERIOD = Temporal.Duration.from({ seconds: 1 });
/** Between two looks: under load commits are told many times a second, and what follows may read thousands of rows. */
const PAUSE = Temporal.Duration.from({ milliseconds: 100 });

interface ChangeFeedDeps {
  readonly store: Store;
  readonly clock: Clock;
  failed(error: unknown): void;
}

/** Brings what a part keeps in memory up to date; it is called again when it rejects. */
type Follow = () => Promise<void>;

/** A part that follows changes. */
export interface Following {
  /** Resolves when all changes that this process was told of are followed; after a second at the latest, and never rejects. */
  caughtUp(): Promise<void>;
}

export interface Changes {
  /** Calls `follow` after every change of these kinds by another process. */
  follow(kinds: readonly AwaitedKind[], follow: Follow): Following;
  follow(kinds: readonly ChangeKind[], follow: Follow): void;
  /** A request has read the sum of the numbers that requests wait for (`SUM_OF_CHANGES`). */
  seen(sum: number): void;
}

/** The sum of the numbers that requests wait for, as a column. */
export const SUM_OF_CHANGES = `(select coalesce(sum(number), 0) from changes
  where kind in (${AWAITED_KINDS.map((kind) => `'${kind}'`).join(', ')}))`;

export class ChangeFeed implements Changes {
  readonly #deps: ChangeFeedDeps;
  #known: ReadonlyMap<string, number>;
  /** Numbers that this process has given and not met yet. */
  readonly #own = new Map<string, Set<number>>();
  readonly #followers: Follower[] = [];
  #polling: Disposable | undefined;
  #looking: Promise<void> | undefined;
  /** The largest sum that this process was told of. */
  #seen: number;
  #isDue = false;
  #hasFailed = false;
  readonly #closing = new AbortController();

  private constructor(deps: ChangeFeedDeps, known: ReadonlyMap<string, number>) {
    this.#deps = deps;
    this.#known = known;
    this.#seen = sumOf(known);
    deps.store.onGroup(
      new ChangedKinds((numbers) => {
        for (const [kind, number] of numbers) this.#own.set(kind, (this.#own.get(kind) ?? new Set()).add(number));
      }),
    );
  }

  /** Before any part reads what it keeps in memory: from here on no change is missed. */
  static async open(deps: ChangeFeedDeps): Promise<ChangeFeed> {
    return new ChangeFeed(deps, await readNumbers(deps.store));
  }

  follow(kinds: readonly AwaitedKind[], follow: Follow): Following;
  follow(kinds: readonly ChangeKind[], follow: Follow): void;
  follow(kinds: readonly ChangeKind[], follow: Follow): Following {
    const follower = new Follower(kinds, { follow, failed: (error) => this.#deps.failed(error) }, sumOf(this.#known));
    this.#followers.push(follower);
    return { caughtUp: () => this.#caughtUp(follower) };
  }

  /** A request has read the sum of the numbers that requests wait for. */
  seen(sum: number): void {
    if (sum <= this.#seen) return;
    this.#seen = sum;
    if (sum > sumOf(this.#known)) this.look();
  }

  start(): void {
    this.#polling = new Periodic({ clock: this.#deps.clock, period: PERIOD, work: () => this.look() });
    this.look();
  }

  /** Reads the numbers now, or once more a while after the look that is under way. */
  look(): void {
    this.#isDue = true;
    this.#looking ??= this.#lookWhileDue().finally(() => {
      this.#looking = undefined;
    });
  }

  async close(): Promise<void> {
    this.#polling?.[Symbol.dispose]();
    this.#closing.abort();
    this.#isDue = false;
    await this.#looking;
    for (const follower of this.#followers) follower.release();
  }

  async #caughtUp(follower: Follower): Promise<void> {
    const reached = follower.reach(this.#seen);
    if (!reached) return;
    const waiting = new AbortController();
    await Promise.race([reached, this.#deps.clock.sleep(PERIOD, waiting.signal)]);
    waiting.abort();
  }

  async #lookWhileDue(): Promise<void> {
    while (this.#isDue) {
      this.#isDue = false;
      try {
        const least = this.#least();
        const numbers = await readNumbers(this.#deps.store);
        if (isBehind(numbers, least)) this.#startOver(numbers);
        else this.#compare(numbers);
        this.#hasFailed = false;
      } catch (error) {
        // Repeated every second until the database answers.
        if (!this.#hasFailed) this.#deps.failed(error);
        this.#hasFailed = true;
        for (const follower of this.#followers) follower.release();
      }
      await systemClock.sleep(PAUSE, this.#closing.signal);
    }
  }

  /** What a look from here on finds at least, unless commits are lost. */
  #least(): Least {
    const given = [...this.#own].map(([kind, own]) => [kind, Math.max(0, ...own)] as const);
    return { sum: this.#seen, numbers: [...this.#known, ...given] };
  }

  /** The lost numbers are given again, by whomever, and mean something else. */
  #startOver(numbers: ReadonlyMap<string, number>): void {
    this.#known = numbers;
    this.#own.clear();
    this.#seen = sumOf(numbers);
    for (const follower of this.#followers) {
      follower.release();
      void follower.followTo(this.#seen, { isChanged: true });
    }
  }

  #compare(numbers: ReadonlyMap<string, number>): void {
    const known = this.#known;
    this.#known = numbers;
    const changed = [...numbers].filter(([kind, number]) => !this.#isOwn(kind, known.get(kind) ?? 0, number));
    for (const follower of this.#followers) {
      const isChanged = changed.some(([kind]) => follower.kinds.has(kind));
      void follower.followTo(sumOf(numbers), { isChanged });
    }
  }

  /** Whether this process has given all numbers after the known one. */
  #isOwn(kind: string, known: number, number: number): boolean {
    const own = this.#own.get(kind) ?? new Set();
    let isOwn = number >= known;
    for (let one = number; one > known && isOwn; one -= 1) isOwn = own.has(one);
    for (const given of own) if (given <= number) own.delete(given);
    return isOwn;
  }
}

interface FollowerDeps {
  readonly follow: Follow;
  failed(error: unknown): void;
}

/** A slow part does not hold up others. */
class Follower {
  readonly kinds: ReadonlySet<string>;
  readonly #deps: FollowerDeps;
  /** Sums of numbers: of the newest state, and of the last one that is followed. */
  #newest: number;
  #followed: number;
  readonly #waiting = new Set<{ readonly sum: number; resolve(): void }>();
  #isDue = false;
  #isRunning = false;
  #hasFailed = false;

  constructor(kinds: readonly ChangeKind[], deps: FollowerDeps, sum: number) {
    this.kinds = new Set(kinds);
    this.#deps = deps;
    this.#newest = sum;
    this.#followed = sum;
  }

  async followTo(sum: number, { isChanged }: { readonly isChanged: boolean }): Promise<void> {
    if (isChanged) this.#isDue = true;
    this.#newest = sum;
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      do await this.#followOnce(this.#newest);
      while (this.#isDue || this.#newest > this.#followed);
    } catch (error) {
      this.#isDue = true;
      // Repeated every second until it succeeds.
      if (!this.#hasFailed) this.#deps.failed(error);
      this.#hasFailed = true;
      this.release();
    } finally {
      this.#isRunning = false;
    }
  }

  /** Undefined where this state is followed already, or cannot be followed at present. */
  reach(sum: number): Promise<void> | undefined {
    if (sum <= this.#followed || this.#hasFailed) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add({ sum, resolve });
    return promise;
  }

  /** A failure holds up nobody who waits. */
  release(): void {
    for (const { resolve } of this.#waiting) resolve();
    this.#waiting.clear();
  }

  async #followOnce(sum: number): Promise<void> {
    if (this.#isDue) {
      this.#isDue = false;
      await this.#deps.follow();
      this.#hasFailed = false;
    }
    this.#followed = sum;
    for (const one of this.#waiting) {
      if (one.sum > sum) continue;
      this.#waiting.delete(one);
      one.resolve();
    }
  }
}

const sumOf = (numbers: ReadonlyMap<string, number>): number =>
  AWAITED_KINDS.reduce((sum, kind) => sum + (numbers.get(kind) ?? 0), 0);

interface Least {
  readonly sum: number;
  readonly numbers: readonly (readonly [string, number])[];
}

const isBehind = (found: ReadonlyMap<string, number>, { sum, numbers }: Least): boolean =>
  sumOf(found) < sum || numbers.some(([kind, number]) => (found.get(kind) ?? 0) < number);

async function readNumbers(store: Store): Promise<ReadonlyMap<string, number>> {
  const rows = await store.reader.all('select kind, number from changes');
  return new Map(rows.map(({ kind, number }) => [String(kind), Number(number)]));
}
