// Numbers that nodes count together, and moments of which the latest counts: each node tells the others once a second what was added
// and what is new. Nothing is stored, and what is told while a connection is broken is lost, so they serve limits and never records.

import { newGuid } from '#kernel/guid.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { Periodic } from '#runtime/periodic.ts';

export const NUMBERS_CHANNEL = 'vigil_numbers';

const PERIOD = Temporal.Duration.from({ seconds: 1 });
/** PostgreSQL takes messages below 8,000 bytes. */
const MAX_MESSAGE_BYTES = 7500;
/** Of one kind, told in one second; further ones count on this node alone. */
const MAX_KEYS = 5000;

/** Are added up. */
const COUNTS = ['requests', 'refused-keys'] as const;
/** Epoch milliseconds: of arrivals by the clock of the database, of the last uses of keys and sessions by that of their node. */
const MOMENTS = ['arrivals', 'uses'] as const;

export type CountKind = (typeof COUNTS)[number];
type MomentKind = (typeof MOMENTS)[number];
type NumberKind = CountKind | MomentKind;
type Listener = (key: string, value: number) => void;

export interface SharedNumbers {
  add(kind: CountKind, key: string, count: number): void;
  raise(kind: MomentKind, key: string, atMs: number): void;
  /** Calls `listener` with what other nodes tell. */
  on(kind: NumberKind, listener: Listener): void;
}

/** The key of a logger or table among arrivals. */
export const sourceKey = ({ kind, guid }: { readonly kind: 'logger' | 'table'; readonly guid: string }): string =>
  `${kind} ${guid}`;

interface NodeNumbersDeps {
  readonly clock: Clock;
  tell(message: string): Promise<void>;
  /** Called with what another node adds up. */
  heard?(kind: CountKind, count: number): void;
}

export class NodeNumbers implements SharedNumbers {
  readonly #deps: NodeNumbersDeps;
  /** Tells own messages from those of others. */
  readonly #name = newGuid();
  readonly #listeners = new Map<NumberKind, Listener[]>();
  readonly #telling: Disposable;
  #untold = new Map<NumberKind, Map<string, number>>();

  constructor(deps: NodeNumbersDeps) {
    this.#deps = deps;
    this.#telling = new Periodic({
      clock: deps.clock,
      period: PERIOD,
      work: () => (this.#untold.size > 0 ? this.#tell() : undefined),
    });
  }

  add(kind: CountKind, key: string, count: number): void {
    this.#change(kind, key, (known) => known + count);
  }

  raise(kind: MomentKind, key: string, atMs: number): void {
    this.#change(kind, key, (known) => Math.max(known, atMs));
  }

  on(kind: NumberKind, listener: Listener): void {
    this.#listeners.set(kind, [...(this.#listeners.get(kind) ?? []), listener]);
  }

  /** A message of any node. */
  told(message: string): void {
    const [from, kind = '', ...pairs] = message.split('\n');
    if (from === this.#name || !isKind(kind)) return;
    for (const pair of pairs) {
      const [, value = '', key = ''] = /^(\d+) (.+)$/.exec(pair) ?? [];
      if (key === '') continue;
      for (const listener of this.#listeners.get(kind) ?? []) listener(key, Number(value));
      if (isCount(kind)) this.#deps.heard?.(kind, Number(value));
    }
  }

  close(): void {
    this.#telling[Symbol.dispose]();
  }

  #change(kind: NumberKind, key: string, change: (known: number) => number): void {
    const values = this.#untold.get(kind) ?? new Map<string, number>();
    this.#untold.set(kind, values);
    if (values.has(key) || values.size < MAX_KEYS) values.set(key, change(values.get(key) ?? 0));
  }

  async #tell(): Promise<void> {
    const untold = this.#untold;
    this.#untold = new Map();
    for (const [kind, values] of untold) {
      for (const message of messagesOf(`${this.#name}\n${kind}`, values)) await this.#deps.tell(message);
    }
  }
}

const KINDS: readonly string[] = [...COUNTS, ...MOMENTS];

const isCount = (kind: NumberKind): kind is CountKind => (COUNTS as readonly string[]).includes(kind);

/** Nodes of a newer version may tell more. */
const isKind = (name: string): name is NumberKind => KINDS.includes(name);

function* messagesOf(head: string, values: ReadonlyMap<string, number>): Generator<string> {
  let message = head;
  for (const [key, value] of values) {
    const pair = `\n${value} ${key}`;
    if (Buffer.byteLength(message) + Buffer.byteLength(pair) > MAX_MESSAGE_BYTES) {
      yield message;
      message = head;
    }
    message += pair;
  }
  if (message !== head) yield message;
}

/** Where no other process uses the database. */
export const OWN_NUMBERS: SharedNumbers = { add() {}, raise() {}, on() {} };
