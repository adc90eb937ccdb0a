// Numbers that nodes count together, and moments of which the latest counts: each node sends the others once a second what was added
// and what is new. Nothing is stored, and what is sent while a connection is broken is lost, so they serve limits and never records.

import type { Clock } from '#kernel/time/clock.ts';
import { BoundedMap } from '#runtime/bounded-map.ts';
import { Periodic } from '#runtime/periodic.ts';
import type { Bus } from './bus.ts';

const PERIOD = Temporal.Duration.from({ seconds: 1 });
/** Of one kind, sent in one second; further ones count on this node alone. */
const MAX_KEYS = 5000;

/** Are added up. */
const COUNTS = ['requests', 'refused-keys'] as const;

export type CountKind = (typeof COUNTS)[number];
/** Epoch milliseconds: of arrivals by the clock of the database, of the last uses of keys and sessions by that of their node. */
type MomentKind = 'arrivals' | 'uses';
type NumberKind = CountKind | MomentKind;
type Listener = (key: string, value: number) => void;

export interface SharedNumbers {
  add(kind: CountKind, key: string, count: number): void;
  raise(kind: MomentKind, key: string, atMs: number): void;
  /** Calls `listener` with what other nodes send. */
  on(kind: NumberKind, listener: Listener): void;
}

/** The key of a logger or table among arrivals. */
export const sourceKey = ({ kind, guid }: { readonly kind: 'logger' | 'table'; readonly guid: string }): string =>
  `${kind} ${guid}`;

interface NodeNumbersDeps {
  readonly clock: Clock;
  readonly bus: Pick<Bus, 'publish' | 'on'>;
  /** Called with what another node adds up. */
  readonly heard?: ((kind: CountKind, count: number) => void) | undefined;
}

export class NodeNumbers implements SharedNumbers, Disposable {
  readonly #bus: NodeNumbersDeps['bus'];
  readonly #sending: Disposable;
  #unsent = new Map<NumberKind, BoundedMap<string, number>>();

  constructor({ clock, bus, heard }: NodeNumbersDeps) {
    this.#bus = bus;
    for (const kind of heard ? COUNTS : []) bus.on(kind, ({ value }) => heard?.(kind, value));
    this.#sending = new Periodic({ clock, period: PERIOD, work: () => this.#send() });
  }

  add(kind: CountKind, key: string, count: number): void {
    this.#change(kind, key, (known) => known + count);
  }

  raise(kind: MomentKind, key: string, atMs: number): void {
    this.#change(kind, key, (known) => Math.max(known, atMs));
  }

  on(kind: NumberKind, listener: Listener): void {
    this.#bus.on(kind, ({ key, value }) => listener(key, value));
  }

  [Symbol.dispose](): void {
    this.#sending[Symbol.dispose]();
  }

  #change(kind: NumberKind, key: string, change: (known: number) => number): void {
    const values = this.#unsent.get(kind) ?? new BoundedMap<string, number>({ max: MAX_KEYS, evicts: 'refuse' });
    this.#unsent.set(kind, values);
    values.set(key, change(values.get(key) ?? 0));
  }

  #send(): void {
    const unsent = this.#unsent;
    this.#unsent = new Map();
    for (const [kind, values] of unsent) for (const [key, value] of values) this.#bus.publish(kind, { key, value });
  }
}

/** Where no other process uses the database. */
export const OWN_NUMBERS: SharedNumbers = { add() {}, raise() {}, on() {} };
