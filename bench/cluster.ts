// What several services of one installation cost and bring: changes per second over one, two and three of them, a request that is
// passed on, and how long schedules rest when a node goes.

import { type ClickhouseServer, clickhouseProgram, logsUrl, startClickhouse } from '#test/support/clickhouse.ts';
import type { Bench, Effort, Row } from './support/bench.ts';
import { type Creators, startCreators } from './support/create.ts';
import { type Forwarded, forwarded } from './support/forwarded.ts';
import { restOfSchedule } from './support/handover.ts';
import { type Nodes, startNodes } from './support/nodes.ts';
import { median, percentile } from './support/numbers.ts';
import { plainChanges } from './support/plain-changes.ts';
import { type Databases, openDatabases } from './support/postgres-databases.ts';
import { requireSame } from './support/require-same.ts';
import { MASTER_KEY } from './support/server-process.ts';
import { serviceOf } from './support/service-calls.ts';
import { workFolder } from './support/work-folder.ts';

const GROUPS = '/api/core/address-groups';
const COUNTS = [1, 2, 3];
const CLIENTS = { few: 24, many: 192 };
const LEASE_SECONDS = 3;
const PERIOD_SECONDS = 1;
const NOT_BELOW_ONE = { of: 'ratio', is: 'at least', bound: 1 } as const;
const IN_GROUPS = { of: 'value', is: 'at least', bound: 1000 } as const;
const PASSED_ON = { of: 'ratio', is: 'at most', bound: 2.5 } as const;
const AFTER_DEATH = { of: 'ratio', is: 'at most', bound: 1.5 } as const;
const AFTER_LEAVE = { of: 'ratio', is: 'at most', bound: 3 } as const;

export const cluster: Bench = {
  name: 'cluster',
  question: 'What do several services on one PostgreSQL database cost, and what do they bring?',
  yardstick: `changes: one service, and transactions of PostgreSQL itself; forwarding: the same request to the owner; schedules: the lease of the node (${LEASE_SECONDS} s) and the time between two slots (${PERIOD_SECONDS} s)`,
  aim: 'three services not below one; 1,000 changes a second in groups; a request passed on in at most 2.5 times the time; a schedule runs again 1.5 times the lease and a slot after a death, 3 slots after a leave',

  async run(effort) {
    const { python, reason } = await clickhouseProgram();
    await using databases = await openDatabases({ isAsInstalled: true });
    const missing = reason || ('reason' in databases ? databases.reason : '');
    if (missing || 'reason' in databases) {
      console.error(`\nTHE CLUSTER DID NOT RUN, there are no rows: ${missing}\n`);
      return { rows: [], notes: [missing] };
    }
    using folder = workFolder();
    await using server = await startClickhouse({ home: { python, folder: folder.at('clickhouse') } });
    const world = { effort, databases, server };
    return { rows: [...(await ofThree(world)), ...(await ofPairs(world))], notes: NOTES };
  },
};

const NOTES = [
  `A change is POST ${GROUPS}: an object with a name that nobody has, its audit entry in the chain of all nodes, and a number that tells the other nodes, which keep address groups in memory. All are counted afterwards, on a node that has not made them.`,
  `"In groups": ${CLIENTS.many} clients at once, whose changes share transactions, as those do that wait while another node writes; "changes" has ${CLIENTS.few}. Clients are spread over the nodes evenly, and send the next request when they have their answer. Rates are of the best round.`,
  'PostgreSQL runs with its own defaults: what is committed is flushed. Its own transactions insert two rows of the same size from as many connections, without a chain, without a check of a name, and with nobody to tell.',
  'All processes, PostgreSQL and the clients share the machine: with two cores three nodes have no more of it than one.',
  'Forwarding: the status of a finished query, and a page of 1,000 of its rows, asked of both nodes in turn.',
  'Schedules: one of every second whose run does not end, on two nodes. From the signal to the node of the run until another node runs it; after SIGTERM with a lease of ten minutes.',
];

interface World {
  readonly effort: Effort;
  readonly databases: Databases;
  readonly server: ClickhouseServer;
}

async function begin({ databases, server }: World, count: number, settings: Readonly<Record<string, string>> = {}) {
  const folder = workFolder();
  const logs = await server.createDatabase();
  const database = await databases.create(`b_${logs}`);
  try {
    const nodes = await startNodes({ folder, database, logs: logsUrl([server], logs), count, settings });
    return {
      nodes,
      database,
      async [Symbol.asyncDispose]() {
        await nodes[Symbol.asyncDispose]();
        folder[Symbol.dispose]();
      },
    };
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
}

async function ofThree(world: World): Promise<Row[]> {
  const { effort } = world;
  effort.say('three services');
  await using started = await begin(world, Math.max(...COUNTS));
  const { nodes, database } = started;
  const rows = await changeRows({ nodes, database, effort });
  effort.say('forwarding');
  const { status, rows: page } = await forwarded(
    { owner: nodes.at(0), other: nodes.at(1) },
    effort.isQuick ? 50 : 1000,
  );
  return [...rows, ...forwardRows('status of a query', status), ...forwardRows('page of rows', page)];
}

const forwardRows = (what: string, { owner, other }: Forwarded): Row[] =>
  [0.5, 0.99].map((share) => ({
    what: `${what} from another node: p${share * 100}`,
    value: percentile(other, share),
    unit: 'ms',
    yardstick: percentile(owner, share),
    ...(share === 0.5 ? { aim: PASSED_ON } : {}),
  }));

interface Changing {
  readonly nodes: Nodes;
  readonly database: string;
  readonly effort: Effort;
}

async function changeRows({ nodes, database, effort }: Changing): Promise<Row[]> {
  const [rounds, milliseconds] = effort.isQuick ? [1, 1500] : [4, 5000];
  await using creators = startCreators();
  const rates = new Map<string, number[]>();
  const plain: number[] = [];
  let made = 0;
  // Round 0 warms up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const clients of Object.values(CLIENTS)) {
      for (const count of COUNTS) {
        effort.say(`round ${round} of ${rounds}: ${clients} clients of ${count}`);
        const { rate, created } = await create(creators, nodes, { count, clients, milliseconds, round });
        made += created;
        if (round > 0) rates.set(keyOf(clients, count), [...(rates.get(keyOf(clients, count)) ?? []), rate]);
      }
    }
    plain.push(await plainChanges({ database, clients: CLIENTS.few, milliseconds }));
  }
  for (const node of nodes.all) {
    const { json } = await serviceOf(node).call('GET', `${GROUPS}?limit=1`);
    requireSame('objects that were made', json.total_count, made);
  }
  const best = (clients: number, count: number) => Math.max(...(rates.get(keyOf(clients, count)) ?? []));
  return rateRows(best, Math.max(...plain));
}

const keyOf = (clients: number, count: number) => `${clients} ${count}`;

interface CreateRound {
  readonly count: number;
  readonly clients: number;
  readonly milliseconds: number;
  readonly round: number;
}

async function create(creators: Creators, nodes: Nodes, { count, clients, milliseconds, round }: CreateRound) {
  const ports = nodes.all.slice(0, count).map(({ port }) => port);
  const name = `${round} ${count} ${clients}`;
  const order = { ports, clients, milliseconds, path: GROUPS, key: MASTER_KEY, fields: {}, name };
  const { latencies, milliseconds: taken } = await creators.run(order);
  return { created: latencies.length, rate: latencies.length / (taken / 1000) };
}

function rateRows(best: (clients: number, count: number) => number, plain: number): Row[] {
  const { few, many } = CLIENTS;
  const of = (clients: number, count: number) => ({ value: best(clients, count), unit: '/s' }) as const;
  return [
    { what: 'changes, one node, beside PostgreSQL itself', ...of(few, 1), yardstick: plain },
    { what: 'changes, two nodes', ...of(few, 2), yardstick: best(few, 1) },
    { what: 'changes, three nodes', ...of(few, 3), yardstick: best(few, 1), aim: NOT_BELOW_ONE },
    { what: 'changes in groups, one node, beside PostgreSQL itself', ...of(many, 1), yardstick: plain, aim: IN_GROUPS },
    { what: 'changes in groups, three nodes', ...of(many, 3), yardstick: plain, aim: IN_GROUPS },
    { what: 'changes in groups, three nodes beside one', ...of(many, 3), yardstick: best(many, 1), aim: NOT_BELOW_ONE },
  ];
}

async function ofPairs(world: World): Promise<Row[]> {
  const rounds = world.effort.isQuick ? 1 : 3;
  const killed: number[] = [];
  const left: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    world.effort.say(`schedules, round ${round + 1} of ${rounds}`);
    const short = { 'node-renewal': '1', 'node-lease': String(LEASE_SECONDS) };
    killed.push(await restIn(world, short, 'kill'));
    left.push(await restIn(world, { 'node-renewal': '200', 'node-lease': '600' }, 'stop'));
  }
  const of = (samples: readonly number[], seconds: number) =>
    ({ value: median(samples) / 1000, unit: 's', yardstick: seconds }) as const;
  return [
    { what: 'schedule runs again after kill -9', ...of(killed, LEASE_SECONDS + PERIOD_SECONDS), aim: AFTER_DEATH },
    { what: 'schedule runs again after SIGTERM', ...of(left, PERIOD_SECONDS), aim: AFTER_LEAVE },
  ];
}

async function restIn(world: World, settings: Readonly<Record<string, string>>, how: 'kill' | 'stop') {
  await using started = await begin(world, 2, settings);
  return await restOfSchedule(started.nodes, how);
}
