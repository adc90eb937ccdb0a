// Numbers that nodes count together: each node counts, and tells the others once a second what was added. Nothing is stored, and
// what is told while a connection is broken is lost, so they serve limits and never records.

import type { Clock } from '#kernel/clock.ts';
import { newGuid } from '#kernel/guid.ts';

export const NUMBERS_CHANNEL = 'vigil_numbers';

const PERIOD = Temporal.Duration.from({ seconds: 1 });
/** PostgreSQL takes messages below 8,000 bytes. */
const MAX_MESSAGE_BYTES = 7500;
/** Of one kind, told in one second; further ones count on this node alone. */
const MAX_KEYS = 5000;

const sum = (one: number, other: number): number => one + other;

/** How numbers of a kind that one second adds become one. */
const TOGETHER = {
  requests: sum,
  'refused-keys': sum,
  arrivals: sum,
  /** Times of the last use of keys and sessions, in milliseconds of the epoch. */
  uses: Math.max,
} as const;

export type NumberKind = keyof typeof TOGETHER;

export interface SharedNumbers {
  add(kind: NumberKind, key: string, count: number): void;
  /** Calls `listener` with what other nodes have added. */
  on(kind: NumberKind, listener: (key: string, count: number) => void): void;
}

interface NodeNumbersDeps {
  readonly clock: Clock;
  tell(message: string): Promise<void>;
  /** Called with each number of another node. */
  heard?(kind: NumberKind, count: number): void;
}

export class NodeNumbers implements SharedNumbers {
  readonly #deps: NodeNumbersDeps;
  /** Tells own messages from those of others. */
  readonly #name = newGuid();
  readonly #listeners = new Map<NumberKind, (key: string, count: number) => void>();
  readonly #telling: Disposable;
  #added = new Map<NumberKind, Map<string, number>>();

  constructor(deps: NodeNumbersDeps) {
    this.#deps = deps;
    this.#telling = deps.clock.every(PERIOD, () => void this.#tell());
  }

  add(kind: NumberKind, key: string, count: number): void {
    const counts = this.#added.get(kind) ?? new Map<string, number>();
    this.#added.set(kind, counts);
    const known = counts.get(key);
    if (known !== undefined || counts.size < MAX_KEYS) counts.set(key, TOGETHER[kind](known ?? 0, count));
  }

  on(kind: NumberKind, listener: (key: string, count: number) => void): void {
    this.#listeners.set(kind, listener);
  }

  /** A message of any node. */
  told(message: string): void {
    const [from, name = '', ...pairs] = message.split('\n');
    if (from === this.#name || !isKind(name)) return;
    for (const pair of pairs) {
      const [, count = '', key = ''] = /^(\d+) (.+)$/.exec(pair) ?? [];
      if (key === '') continue;
      this.#listeners.get(name)?.(key, Number(count));
      this.#deps.heard?.(name, Number(count));
    }
  }

  close(): void {
    this.#telling[Symbol.dispose]();
  }

  async #tell(): Promise<void> {
    const added = this.#added;
    this.#added = new Map();
    for (const [kind, counts] of added) {
      for (const message of messagesOf(`${this.#name}\n${kind}`, counts)) await this.#deps.tell(message);
    }
  }
}

/** Nodes of a newer version may tell more. */
const isKind = (name: string): name is NumberKind => Object.hasOwn(TOGETHER, name);

function* messagesOf(head: string, counts: ReadonlyMap<string, number>): Generator<string> {
  let message = head;
  for (const [key, count] of counts) {
    const pair = `\n${count} ${key}`;
    if (Buffer.byteLength(message) + Buffer.byteLength(pair) > MAX_MESSAGE_BYTES) {
      yield message;
      message = head;
    }
    message += pair;
  }
  if (message !== head) yield message;
}

/** Where no other process uses the database. */
export const OWN_NUMBERS: SharedNumbers = { add() {}, on() {} };
