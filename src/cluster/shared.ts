// Several processes may use the database: what they write is read from it, and what concerns others is sent to them.

import { type Clock, systemClock } from '#kernel/time/clock.ts';
import type { Store } from '#store/store.ts';
import { type Messages, NotifyBus, type Topic } from './bus.ts';
import type { AwaitedKind, ChangeKind } from './changes/changes.ts';
import { ChangeFeed, type Following } from './changes/feed.ts';
import type { Cluster, Forms, RowCache } from './cluster.ts';
import { DatabaseClock } from './database-clock.ts';
import { type LeaseClaim, type NotTaken, type ProcessLease, takeLease } from './members/lease.ts';
import { type Nodes, type OwnNode, registeredNodes } from './members/membership.ts';
import { type CountKind, NodeNumbers, type SharedNumbers } from './numbers.ts';
import { PostgresListener } from './postgres-listener.ts';

export interface SharedDeps {
  /** Of the database. */
  readonly url: string;
  readonly store: Store;
  readonly node: OwnNode;
  readonly clock: Clock;
  /** Called with what another node has counted. */
  heard?(kind: CountKind, count: number): void;
  /** Reports a failure in the background; the work is tried again. */
  failed(error: unknown): void;
}

/** Before any part reads what it keeps in memory: from here on no change is missed. */
export async function openShared(deps: SharedDeps): Promise<Cluster> {
  const { store, clock, failed } = deps;
  const feed = await ChangeFeed.open({ store, clock, failed });
  // The clock of a test stays.
  const databaseClock = clock === systemClock ? await DatabaseClock.open(store) : undefined;
  return new SharedCluster(deps, feed, databaseClock);
}

class SharedCluster implements Cluster {
  readonly self: string;
  readonly nodes: Nodes;
  readonly clock: Clock;
  readonly numbers: SharedNumbers;
  readonly #deps: SharedDeps;
  readonly #feed: ChangeFeed;
  readonly #bus: NotifyBus;
  readonly #listener: PostgresListener;
  readonly #open = new DisposableStack();

  constructor(deps: SharedDeps, feed: ChangeFeed, databaseClock: DatabaseClock | undefined) {
    const { url, store, node, clock } = deps;
    this.#deps = deps;
    this.self = node.name;
    this.nodes = registeredNodes(store, node);
    this.clock = databaseClock ?? clock;
    this.#feed = feed;
    this.#bus = new NotifyBus((notices) => this.#listener.notify(notices));
    this.#listener = new PostgresListener({
      url,
      clock,
      channels: this.#bus.channels,
      received: (channel, payload) => this.#bus.received(channel, payload),
      connected: () => this.#bus.connected(),
    });
    this.#bus.on('changes', () => feed.look());
    this.#bus.onConnected(() => feed.look());
    this.numbers = this.#open.use(new NodeNumbers({ clock, bus: this.#bus, heard: deps.heard }));
    if (databaseClock) this.#open.use(databaseClock);
  }

  takeLease = async (claim: () => Promise<LeaseClaim>): Promise<ProcessLease | NotTaken> =>
    await takeLease(this.#deps.store, this.#deps.node, await claim());

  async leads(): Promise<boolean> {
    const first = (await this.nodes.list()).find(({ state }) => state === 'alive');
    return first?.name === this.self;
  }

  latest<T>(_known: T, read: () => Promise<T>): Promise<T> {
    return read();
  }

  async withOthers(work: () => Promise<unknown>): Promise<void> {
    await work();
  }

  nextLook(lastMs: number, periodMs: number): number {
    return lastMs + periodMs;
  }

  cache<Value>(): RowCache<Value> {
    return { get: () => undefined, reading: () => () => {}, clear() {} };
  }

  form<Part>(forms: Forms<Part>): Part {
    return forms.shared();
  }

  publish<T extends Topic>(topic: T, message: Messages[T]): void {
    this.#bus.publish(topic, message);
  }

  on<T extends Topic>(topic: T, listen: (message: Messages[T], from: string) => void): void {
    this.#bus.on(topic, listen);
  }

  onConnected(listen: () => void): void {
    this.#bus.onConnected(listen);
  }

  follow(kinds: readonly AwaitedKind[], reload: () => Promise<void>): Following;
  follow(kinds: readonly ChangeKind[], reload: () => Promise<void>): void;
  follow(kinds: readonly ChangeKind[], reload: () => Promise<void>): Following {
    return this.#feed.follow(kinds as readonly AwaitedKind[], reload);
  }

  seen(sum: number): void {
    this.#feed.seen(sum);
  }

  start(): void {
    this.#feed.start();
    this.#listener.start();
  }

  async close(): Promise<void> {
    this.#open.dispose();
    await this.#listener.close();
    await this.#feed.close();
  }
}
