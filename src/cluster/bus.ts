// Messages between nodes, typed by topic, on one channel of the database. Nothing is stored: what is sent while a connection is broken
// is lost, so messages serve limits, windows and haste, and never records. What must not be lost is a number of changes (feed.ts).

import { newGuid } from '#kernel/guid.ts';
import { fromOldChannel, OLD_CHANNELS, oldNotices, SPEAKS_BUS } from './old-channels.ts';
import { fittingLines } from './payloads.ts';

/** A count or a moment with its key (numbers.ts). */
export interface NumberMessage {
  readonly key: string;
  readonly value: number;
}

/** Records with consecutive numbers, or those of an upload, and the node that has stored them. */
export type StoredRecords = { readonly node: string } & (
  | { readonly firstId: number; readonly rows: number }
  | { readonly upload: number }
);

export interface Messages {
  /** A commit has raised numbers of changes; sent in its transaction. */
  changes: null;
  requests: NumberMessage;
  'refused-keys': NumberMessage;
  arrivals: NumberMessage;
  uses: NumberMessage;
  /** Records were stored in a table whose records a node has asked for. */
  'stored-records': StoredRecords & { readonly tableId: number };
  /** A window of the sender reads what is stored in a table; `isLost`: it may have missed messages. */
  'open-window': { readonly tableId: number; readonly isLost: boolean };
}

export type Topic = keyof Messages;

type Listener = (message: unknown, from: string) => void;

export interface Bus {
  /** Sends a message to every other node that listens. */
  publish<T extends Topic>(topic: T, message: Messages[T]): void;
  /** `from` names the process that has sent the message. */
  on<T extends Topic>(topic: T, listen: (message: Messages[T], from: string) => void): void;
  /** Calls `listen` whenever messages may have been lost before. */
  onConnected(listen: () => void): void;
}

export interface Notice {
  readonly channel: string;
  readonly payload: string;
}

export const CHANNEL = 'vigil';

/** The notice of a commit with changes. It names no sender: the process that has committed looks, too. */
export const CHANGES_PAYLOAD = 'changes\n\nnull';

interface Waiting {
  readonly topic: Topic;
  readonly message: unknown;
}

export class NotifyBus implements Bus {
  /** What the listener listens to; the new one first, so that a sender that speaks both is known by it. */
  readonly channels: readonly string[] = [CHANNEL, ...OLD_CHANNELS];
  readonly #notify: (notices: readonly Notice[]) => Promise<void>;
  readonly #process = SPEAKS_BUS + newGuid();
  readonly #listeners = new Map<string, Listener[]>();
  readonly #connected: (() => void)[] = [];
  #waiting: Waiting[] = [];
  #sending: Promise<void> | undefined;

  constructor(notify: (notices: readonly Notice[]) => Promise<void>) {
    this.#notify = notify;
  }

  publish<T extends Topic>(topic: T, message: Messages[T]): void {
    this.#waiting.push({ topic, message });
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
    });
  }

  on<T extends Topic>(topic: T, listen: (message: Messages[T], from: string) => void): void {
    const listeners = this.#listeners.get(topic) ?? [];
    // A topic names the type of its messages.
    this.#listeners.set(topic, [...listeners, listen as Listener]);
  }

  onConnected(listen: () => void): void {
    this.#connected.push(listen);
  }

  /** A notice of any process. */
  received(channel: string, payload: string): void {
    if (channel !== CHANNEL) {
      for (const { topic, from, message } of fromOldChannel(channel, payload)) this.#deliver(topic, from, message);
      return;
    }
    const [topic = '', from = '', ...texts] = payload.split('\n');
    if (from !== this.#process) for (const text of texts) this.#deliver(topic, from, JSON.parse(text));
  }

  connected(): void {
    for (const listen of this.#connected) listen();
  }

  /** Nodes of a newer version may send more topics. */
  #deliver(topic: string, from: string, message: unknown): void {
    for (const listen of this.#listeners.get(topic) ?? []) listen(message, from);
  }

  /** What is published while a notice is on its way goes together. */
  async #send(): Promise<void> {
    while (this.#waiting.length > 0) {
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const [topic, some] of Map.groupBy(waiting, (one) => one.topic)) {
        const messages = some.map(({ message }) => message);
        for (const notices of noticesOf(topic, this.#process, messages)) await this.#notify(notices);
      }
    }
  }
}

/** Each with the notices for nodes of earlier versions. */
function* noticesOf(topic: Topic, from: string, messages: readonly unknown[]): Generator<readonly Notice[]> {
  const head = `${topic}\n${from}`;
  for (const some of fittingLines(head, messages, JSON.stringify)) {
    const payload = [head, ...some.map((message) => JSON.stringify(message))].join('\n');
    yield [{ channel: CHANNEL, payload }, ...oldNotices(topic, from, some)];
  }
}
