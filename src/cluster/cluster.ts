// The other processes on the same database, as every room above sees them. There are two forms: `alone` where one process has the
// database, `shared` where several may. No room asks which of the two it has.

import type { Clock } from '#kernel/time/clock.ts';
import type { Bus } from './bus.ts';
import type { Changes } from './changes/feed.ts';
import type { LeaseClaim, NotTaken, ProcessLease } from './members/lease.ts';
import type { Nodes } from './members/membership.ts';
import type { SharedNumbers } from './numbers.ts';

export interface Cluster extends Bus, Changes {
  /** Name of this node. */
  readonly self: string;
  readonly nodes: Nodes;
  /** The clock by which moments of several nodes are compared: that of the database if several processes use it. */
  readonly clock: Clock;
  /** Counts and moments that nodes add up. */
  readonly numbers: SharedNumbers;
  /** Takes the name of the node and, unless all logs are shared, the logs; both or neither. `claim` is made only if it is needed. */
  takeLease(claim: () => Promise<LeaseClaim>): Promise<ProcessLease | NotTaken>;
  /** Whether this node does what is to be done once: one node at a time, nearly always. */
  leads(): Promise<boolean>;
  /** Returns `known` if only this process writes; otherwise what `read` finds. */
  latest<T>(known: T, read: () => Promise<T>): Promise<T>;
  /** Runs work that only other processes give cause for. */
  withOthers(work: () => Promise<unknown>): Promise<void>;
  /** When rows that other processes may have written are to be read again; undefined if there are none. */
  nextLook(lastMs: number, periodMs: number): number | undefined;
  /** A cache of rows; it keeps nothing if other processes may change them. */
  cache<Value>(): RowCache<Value>;
  /** Picks the form of a part whose own work differs, when it is opened. */
  form<Part>(forms: Forms<Part>): Part;
  /** Begins to receive messages and changes. */
  start(): void;
  close(): Promise<void>;
}

export interface Forms<Part> {
  alone(): Part;
  shared(): Part;
}

export interface RowCache<Value> {
  get(name: string): Value | undefined;
  /** Called before rows are read; the result keeps a value, unless the cache was cleared meanwhile. */
  reading(): (name: string, value: Value) => void;
  clear(): void;
}
