// What is stored by other nodes in tables that this one listens to (`table window=D`): which records, not the records themselves,
// which are read from the log store. Nodes send each other only what concerns a table with a window, and keep the last seconds for
// a window that opens.

import type { Bus, Messages, StoredRecords } from '#cluster/bus.ts';
import type { Cluster } from '#cluster/cluster.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { BoundedMap } from '#runtime/bounded-map.ts';
import { Periodic } from '#runtime/periodic.ts';

export type DistantArrival = StoredRecords;

export interface ArrivalNews extends Disposable {
  /** Calls `listener` once for each arrival on another node. */
  listen(tableId: number, listener: (arrival: DistantArrival) => void): Disposable;
  /** Records of this node are stored. */
  announce(tableId: number, arrival: { readonly firstId: number; readonly rows: number } | { upload: number }): void;
}

/** No other node writes to the log store. */
export const NO_NEWS: ArrivalNews = {
  listen: () => ({ [Symbol.dispose]() {} }),
  announce() {},
  [Symbol.dispose]() {},
};

const ASK_PERIOD = Temporal.Duration.from({ seconds: 1 });
const ASKED_FOR_MS = 5000;
const KEPT_MS = 5000;
const MAX_KEPT = 2000;
/** Arrivals that a listener remembers, to know those that come twice. */
const MAX_SEEN = 10_000;

interface NodeArrivalsDeps {
  readonly clock: Clock;
  readonly cluster: Bus & Pick<Cluster, 'self'>;
}

interface Listener {
  readonly tableId: number;
  readonly seen: BoundedMap<string, true>;
  told(arrival: DistantArrival): void;
}

type Stored = Messages['stored-records'];

export class NodeArrivals implements ArrivalNews {
  readonly #deps: NodeArrivalsDeps;
  readonly #listeners = new Set<Listener>();
  /** When processes have asked for a table last, by both. */
  readonly #asked = new Map<string, { readonly tableId: number; at: number }>();
  readonly #kept: { readonly stored: Stored; readonly at: number }[] = [];
  readonly #asking: Disposable;

  constructor(deps: NodeArrivalsDeps) {
    this.#deps = deps;
    const { clock, cluster } = deps;
    cluster.on('open-window', (window, from) => this.#answer(window, from));
    cluster.on('stored-records', (stored, from) => this.#hear(stored, from));
    // Messages may have been lost.
    cluster.onConnected(() => this.#ask({ isLost: true }));
    this.#asking = new Periodic({ clock, period: ASK_PERIOD, work: () => this.#ask({ isLost: false }) });
  }

  listen(tableId: number, told: (arrival: DistantArrival) => void): Disposable {
    const listener = { tableId, told, seen: new BoundedMap<string, true>({ max: MAX_SEEN, evicts: 'oldest' }) };
    this.#listeners.add(listener);
    this.#deps.cluster.publish('open-window', { tableId, isLost: false });
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  announce(tableId: number, arrival: { readonly firstId: number; readonly rows: number } | { upload: number }): void {
    const { cluster } = this.#deps;
    const stored = { tableId, node: cluster.self, ...arrival };
    const at = this.#now;
    this.#kept.push({ stored, at });
    while (this.#kept.length > MAX_KEPT || (this.#kept[0]?.at ?? at) <= at - KEPT_MS) this.#kept.shift();
    const isAsked = [...this.#asked.values()].some((one) => one.tableId === tableId && one.at > at - ASKED_FOR_MS);
    if (isAsked) cluster.publish('stored-records', stored);
  }

  [Symbol.dispose](): void {
    this.#asking[Symbol.dispose]();
  }

  get #now(): number {
    return this.#deps.clock.now().epochMilliseconds;
  }

  #ask({ isLost }: Pick<Messages['open-window'], 'isLost'>): void {
    for (const tableId of new Set([...this.#listeners].map((one) => one.tableId))) {
      this.#deps.cluster.publish('open-window', { tableId, isLost });
    }
  }

  #answer({ tableId, isLost }: Messages['open-window'], from: string): void {
    const now = this.#now;
    const known = this.#asked.get(`${from} ${tableId}`);
    const isKnown = known !== undefined && known.at > now - ASKED_FOR_MS && !isLost;
    this.#asked.set(`${from} ${tableId}`, { tableId, at: now });
    for (const [key, { at }] of this.#asked) if (at <= now - ASKED_FOR_MS) this.#asked.delete(key);
    if (isKnown) return;
    for (const { stored } of this.#kept)
      if (stored.tableId === tableId) this.#deps.cluster.publish('stored-records', stored);
  }

  #hear({ tableId, ...arrival }: Stored, from: string): void {
    const name = `${from} ${JSON.stringify(arrival)}`;
    for (const listener of this.#listeners) {
      if (listener.tableId !== tableId || listener.seen.has(name)) continue;
      listener.seen.set(name, true);
      listener.told(arrival);
    }
  }
}
