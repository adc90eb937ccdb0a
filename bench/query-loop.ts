// Whether the service still answers others at once while heavy queries run: its event loop must not wait for them.

import type { Bench, Effort, Row } from './support/bench.ts';
import { ALL_RECORDS, heavyQueries } from './support/heavy-queries.ts';
import { CORPUS_VARIABLE } from './support/log-corpus.ts';
import { TABLE } from './support/log-fill.ts';
import { percentile } from './support/numbers.ts';
import { type Paced, startPace } from './support/pace.ts';
import { answered, queryPath } from './support/query-calls.ts';
import { benchServer, launch, MASTER_KEY, type ServerProcess, vigil } from './support/server-process.ts';
import { serviceOf } from './support/service-calls.ts';
import { NEEDS_GENERATED, storedLog } from './support/stored-log.ts';

const AT_ONCE = 4;
const BEAT_MS = 5;
const GAUGE = 'vigil_event_loop_delay_p99_seconds';
const AIM = { of: 'value', is: 'at most', bound: 20 } as const;

export const queryLoop: Bench = {
  name: 'query-loop',
  question: `How long do others wait for the event loop of the service while ${AT_ONCE} heavy queries run?`,
  yardstick: 'the same service without a query',
  aim: 'p99 at most 20 ms',

  async run(effort) {
    if (process.env[CORPUS_VARIABLE]) return { rows: [], notes: [NEEDS_GENERATED] };
    const { folder } = await storedLog(effort);
    const [idle, ...busy] = await measureAll(folder, effort);
    const rows = idle ? busy.flatMap((one) => rowsOf(one, idle)) : [];
    return { rows, notes: [(await effort.logs.corpus()).about, ...NOTES, ...busy.map(finished)] };
  },
};

const NOTES = [
  `GET /healthz of \`vigil serve\` every ${BEAT_MS} ms from a process of its own, over open connections, late answers or not, while ${AT_ONCE} clients ask one heavy query after the other; each case has a new process. It needs nothing but the event loop. A first query has been answered before: what it loads is loaded once.`,
  '"bare server" is node:http with nothing over it and nothing to do, asked at the same beats: what it waits for is the machine, which has fewer cores than there is work.',
  `"inside" is ${GAUGE} of /metrics, since the start of the process: how late its timer of 10 ms was.`,
];

/** What the clients ask meanwhile. */
interface Case {
  readonly name: string;
  readonly queries: readonly string[];
}

const cases: readonly Case[] = [
  { name: 'idle', queries: [] },
  { name: 'much work, few rows', queries: heavyQueries.map(({ query }) => query) },
  { name: 'all records as rows', queries: [ALL_RECORDS] },
];

interface Measured {
  readonly name: string;
  readonly service: readonly number[];
  readonly bare: readonly number[];
  /** Milliseconds, as the service tells it. */
  readonly inside: number;
  readonly queries: number;
  readonly bytes: number;
}

async function measureAll(folder: string, { isQuick, say }: Effort): Promise<Measured[]> {
  const milliseconds = isQuick ? 3000 : 30_000;
  await using pace = startPace();
  await using bare = await launch({ script: benchServer('bare-node.mjs'), args: (port) => [String(port)] });
  await bare.ready('/');
  const measured: Measured[] = [];
  for (const one of cases) {
    say(one.name);
    await using server = await launch(vigil({ folder }));
    await server.ready('/readyz');
    // What a first query has to load is loaded once in the life of a process.
    await answered(serviceOf(server), `table ${TABLE} | limit 1`);
    await using asking = new Asking(server, one.queries);
    const targets = [
      { port: server.port, path: '/healthz' },
      { port: bare.port, path: '/' },
    ];
    const { latencies }: Paced = await pace.run({ targets, beatMilliseconds: BEAT_MS, milliseconds });
    const [service = [], besides = []] = latencies.map((each) => [...each]);
    const { queries, bytes } = asking;
    measured.push({ name: one.name, service, bare: besides, inside: await gaugeOf(server), queries, bytes });
  }
  return measured;
}

/** Some clients, each of which asks its next query when it has read the answer to the one before. */
class Asking implements AsyncDisposable {
  queries = 0;
  bytes = 0;
  readonly #left = new AbortController();
  readonly #clients: readonly Promise<void>[];

  constructor({ port }: ServerProcess, queries: readonly string[]) {
    const clients = queries.length === 0 ? 0 : AT_ONCE;
    this.#clients = Array.from({ length: clients }, (_, client) =>
      this.#askOn(port, [...queries.slice(client % queries.length), ...queries]).catch((error) => {
        if (!this.#left.signal.aborted) throw error;
      }),
    );
  }

  /** Breaks off what still runs. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#left.abort();
    await Promise.all(this.#clients);
  }

  async #askOn(port: number, queries: readonly string[]): Promise<void> {
    for (let turn = 0; !this.#left.signal.aborted; turn += 1) {
      const query = queries[turn % queries.length] ?? '';
      const answer = await fetch(`http://127.0.0.1:${port}${queryPath(query)}`, {
        headers: { authorization: `Bearer ${MASTER_KEY}` },
        signal: this.#left.signal,
      });
      if (!answer.ok || !answer.body) throw new Error(`${answer.status} for ${query}: ${await answer.text()}`);
      for await (const chunk of answer.body) this.bytes += chunk.byteLength;
      this.queries += 1;
    }
  }
}

async function gaugeOf({ port }: ServerProcess): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`, {
    headers: { authorization: `Bearer ${MASTER_KEY}` },
  });
  const line = (await answer.text()).split('\n').find((each) => each.startsWith(`${GAUGE} `));
  return Number(line?.split(' ')[1] ?? Number.NaN) * 1000;
}

function rowsOf(busy: Measured, idle: Measured): Row[] {
  const row = (what: string, of: (measured: Measured) => number): Row => ({
    what: `${busy.name}: ${what}`,
    value: of(busy),
    unit: 'ms',
    yardstick: of(idle),
  });
  return [
    row('p50', ({ service }) => percentile(service, 0.5)),
    { ...row('p99', ({ service }) => percentile(service, 0.99)), aim: AIM },
    row('longest', ({ service }) => percentile(service, 1)),
    row('bare server, p99', ({ bare }) => percentile(bare, 0.99)),
    row('inside, p99', ({ inside }) => inside),
  ];
}

const finished = ({ name, queries, bytes }: Measured): string =>
  `${name}: ${queries} queries were answered meanwhile, ${Math.round(bytes / 1e6).toLocaleString('en')} MB were read.`;
