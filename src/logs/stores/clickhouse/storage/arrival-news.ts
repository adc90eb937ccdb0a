// What arrives on other nodes in tables that this one listens to (`table window=D`): which records, not the records themselves,
// which are read from the log store. Nodes tell each other only of tables that one of them asks for, and keep the last seconds for
// one that begins to ask.

import { newGuid } from '#kernel/guid.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { Periodic } from '#runtime/periodic.ts';

export const ARRIVALS_CHANNEL = 'vigil_arrivals';

/** Records with consecutive numbers, or those of an upload, and the node that took them in. */
export type DistantArrival = { readonly node: string } & (
  | { readonly firstId: number; readonly rows: number }
  | { readonly upload: number }
);

export interface ArrivalNews {
  /** Told of each arrival on another node once. */
  listen(tableId: number, listener: (arrival: DistantArrival) => void): Disposable;
  /** Records of this node are stored. */
  announce(tableId: number, arrival: { readonly firstId: number; readonly rows: number } | { upload: number }): void;
}

/** Where no other node writes to the log store. */
export const NO_NEWS: ArrivalNews = { listen: () => ({ [Symbol.dispose]() {} }), announce() {} };

const ASK_PERIOD = Temporal.Duration.from({ seconds: 1 });
const ASKED_FOR_MS = 5000;
const KEPT_MS = 5000;
const MAX_KEPT = 2000;
/** PostgreSQL takes messages below 8,000 bytes. */
const MESSAGE_LINES = 80;
/** Arrivals that a listener remembers, to know those that it is told twice. */
const MAX_SEEN = 10_000;

interface NodeArrivalsDeps {
  readonly clock: Clock;
  readonly node: string;
  tell(message: string): Promise<void>;
}

interface Listener {
  readonly tableId: number;
  readonly seen: Set<string>;
  told(arrival: DistantArrival): void;
}

export class NodeArrivals implements ArrivalNews {
  readonly #deps: NodeArrivalsDeps;
  readonly #process = newGuid();
  readonly #listeners = new Set<Listener>();
  /** When processes have asked for a table last, by both. */
  readonly #asked = new Map<string, { readonly tableId: number; at: number }>();
  readonly #kept: { readonly tableId: number; readonly line: string; readonly at: number }[] = [];
  #waiting: string[] = [];
  #telling: Promise<void> | undefined;
  readonly #asking: Disposable;

  constructor(deps: NodeArrivalsDeps) {
    this.#deps = deps;
    this.#asking = new Periodic({ clock: deps.clock, period: ASK_PERIOD, work: () => this.#ask('ask') });
  }

  listen(tableId: number, told: (arrival: DistantArrival) => void): Disposable {
    const listener = { tableId, told, seen: new Set<string>() };
    this.#listeners.add(listener);
    this.#say(`ask ${this.#process} ${tableId}`);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  announce(tableId: number, arrival: { readonly firstId: number; readonly rows: number } | { upload: number }): void {
    const what = 'upload' in arrival ? `upload ${arrival.upload}` : `rows ${arrival.firstId} ${arrival.rows}`;
    const line = `came ${this.#process} ${tableId} ${this.#deps.node} ${what}`;
    const at = this.#now;
    this.#kept.push({ tableId, line, at });
    while (this.#kept.length > MAX_KEPT || (this.#kept[0]?.at ?? at) <= at - KEPT_MS) this.#kept.shift();
    const isAsked = [...this.#asked.values()].some((one) => one.tableId === tableId && one.at > at - ASKED_FOR_MS);
    if (isAsked) this.#say(line);
  }

  /** A message of any node. */
  told(message: string): void {
    for (const line of message.split('\n')) {
      const [verb, process = '', table, node = '', kind, first, rows] = line.split(' ');
      const tableId = Number(table);
      if (process === this.#process) continue;
      if (verb === 'ask' || verb === 'again') this.#answer(verb, process, tableId);
      else if (kind === 'rows') this.#hear(tableId, line, { node, firstId: Number(first), rows: Number(rows) });
      else if (kind === 'upload') this.#hear(tableId, line, { node, upload: Number(first) });
    }
  }

  /** Messages may have been lost. */
  connected(): void {
    this.#ask('again');
  }

  close(): void {
    this.#asking[Symbol.dispose]();
  }

  get #now(): number {
    return this.#deps.clock.now().epochMilliseconds;
  }

  #ask(verb: 'ask' | 'again'): void {
    for (const tableId of new Set([...this.#listeners].map((one) => one.tableId))) {
      this.#say(`${verb} ${this.#process} ${tableId}`);
    }
  }

  #answer(verb: 'ask' | 'again', process: string, tableId: number): void {
    const now = this.#now;
    const known = this.#asked.get(`${process} ${tableId}`);
    const isKnown = known !== undefined && known.at > now - ASKED_FOR_MS && verb === 'ask';
    this.#asked.set(`${process} ${tableId}`, { tableId, at: now });
    for (const [key, { at }] of this.#asked) if (at <= now - ASKED_FOR_MS) this.#asked.delete(key);
    if (!isKnown) for (const one of this.#kept) if (one.tableId === tableId) this.#say(one.line);
  }

  #hear(tableId: number, line: string, arrival: DistantArrival): void {
    for (const listener of this.#listeners) {
      if (listener.tableId !== tableId || listener.seen.has(line)) continue;
      listener.seen.add(line);
      const [oldest] = listener.seen.size > MAX_SEEN ? listener.seen : [];
      if (oldest !== undefined) listener.seen.delete(oldest);
      listener.told(arrival);
    }
  }

  /** What is said while a message is on its way goes together. */
  #say(line: string): void {
    this.#waiting.push(line);
    this.#telling ??= this.#tell().finally(() => {
      this.#telling = undefined;
    });
  }

  async #tell(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lines = this.#waiting.splice(0, MESSAGE_LINES);
      await this.#deps.tell(lines.join('\n'));
    }
  }
}
