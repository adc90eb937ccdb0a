// What reaches this process from other nodes of a shared database: changes of what its parts keep in memory, and numbers that are
// counted over all nodes.

import type { Accounts } from '#access/accounts.ts';
import { CHANGES_CHANNEL } from '#cluster/changes.ts';
import { DatabaseClock } from '#cluster/database-clock.ts';
import { ChangeFeed, type Following } from '#cluster/feed.ts';
import type { Nodes } from '#cluster/membership.ts';
import { type CountKind, NodeNumbers, NUMBERS_CHANNEL, OWN_NUMBERS, type SharedNumbers } from '#cluster/numbers.ts';
import { PostgresListener } from '#cluster/postgres-listener.ts';
import type { Collectors } from '#collectors/collectors.ts';
import type { SilentSources } from '#detection/alarms/silent-sources.ts';
import type { StreamRules } from '#detection/stream/stream-rules.ts';
import type { Metrics } from '#kernel/metrics.ts';
import { type Clock, systemClock } from '#kernel/time/clock.ts';
import {
  ARRIVALS_CHANNEL,
  type ArrivalNews,
  NO_NEWS,
  NodeArrivals,
} from '#logs/stores/clickhouse/storage/arrival-news.ts';
import type { Scheduler } from '#scheduler/scheduler.ts';
import type { Config } from '#settings/index.ts';
import type { Store } from '#store/store.ts';
import type { Instruments } from './instruments.ts';

interface OtherNodesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly nodes: Nodes;
}

/** Parts that keep in memory what other nodes may change. */
interface FollowingParts {
  readonly accounts: Accounts;
  readonly streamRules: StreamRules;
  readonly collectors: Collectors;
  readonly silentSources: SilentSources;
  readonly scheduler: Scheduler;
}

export interface OtherNodes {
  readonly arrivals: ArrivalNews;
  readonly numbers: SharedNumbers;
  /** By which slots are due; that of a test stays. */
  readonly clock: Clock;
  /** Told the sum of numbers of changes that a request finds. */
  changesSeen(sum: number): void;
  /** Resolves when stream rules and their address groups are those that requests have seen. */
  rulesCaughtUp(): Promise<void>;
  /** Follows changes since the start from here on. */
  follow(parts: FollowingParts): void;
  close(): Promise<void>;
}

/** Before any part reads what it keeps. */
export async function openOtherNodes(
  { database }: Pick<Config, 'database'>,
  { store, clock, nodes }: OtherNodesDeps,
  instruments: Instruments,
): Promise<OtherNodes> {
  if (!store.isShared || database === undefined) return alone(clock);
  const failed = (error: unknown) => instruments.defect(error, 'changes of other nodes');
  const feed = await ChangeFeed.open({ store, clock, failed });
  const numbers = new NodeNumbers({
    clock,
    tell: (message) => listener.notify(NUMBERS_CHANNEL, message),
    heard: instruments.numberHeard,
  });
  const tellArrivals = (message: string) => listener.notify(ARRIVALS_CHANNEL, message);
  const arrivals = new NodeArrivals({ clock, node: nodes.own.name, tell: tellArrivals });
  const listener = new PostgresListener({
    url: database,
    clock,
    channels: {
      [CHANGES_CHANNEL]: () => feed.look(),
      [NUMBERS_CHANNEL]: (message) => numbers.told(message),
      [ARRIVALS_CHANNEL]: (message) => arrivals.told(message),
    },
    connected() {
      feed.look();
      arrivals.connected();
    },
  });
  const databaseClock = clock === systemClock ? await DatabaseClock.open(store) : undefined;
  let rules: readonly Following[] = [];
  return {
    arrivals,
    numbers,
    clock: databaseClock ?? clock,
    changesSeen: (sum) => feed.seen(sum),
    rulesCaughtUp: async () => void (await Promise.all(rules.map((following) => following.caughtUp()))),
    follow(parts) {
      rules = followRules(feed, parts);
      followOthers(feed, parts);
      feed.start();
      listener.start();
    },
    async close() {
      numbers.close();
      arrivals.close();
      databaseClock?.[Symbol.dispose]();
      await listener.close();
      await feed.close();
    },
  };
}

export function otherNodesInstruments(metrics: Metrics) {
  const heard = metrics.counter(
    'vigil_node_numbers_total',
    'Requests and refused keys that other nodes have told this one, by kind.',
  );
  return {
    numberHeard(kind: CountKind, count: number) {
      heard.add({ kind }, count);
    },
  };
}

const alone = (clock: Clock): OtherNodes => ({
  arrivals: NO_NEWS,
  numbers: OWN_NUMBERS,
  clock,
  changesSeen() {},
  async rulesCaughtUp() {},
  follow() {},
  async close() {},
});

const followRules = (feed: ChangeFeed, { streamRules }: FollowingParts): readonly Following[] => [
  feed.follow(['rules', 'loggers'], () => streamRules.followRules()),
  feed.follow(['address-groups'], () => streamRules.followGroups()),
];

function followOthers(feed: ChangeFeed, parts: FollowingParts): void {
  const { accounts, collectors, silentSources, scheduler } = parts;
  feed.follow(['accounts'], async () => accounts.forget());
  feed.follow(['loggers'], () => collectors.follow());
  feed.follow(['loggers'], () => silentSources.changed());
  feed.follow(['rules', 'scheduled-queries'], () => scheduler.others.jobsChanged());
  feed.follow(['scheduler-leases'], () => scheduler.others.processEnded());
  feed.follow(['stop-requests'], () => scheduler.others.stopsChanged());
}
