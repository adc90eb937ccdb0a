// What a request costs in the service beside what it costs in Fastify alone: authentication, permission, request log
// and metrics on, no data touched. The processes are loaded in turn, round after round.

import { setTimeout as pause } from 'node:timers/promises';
import { type Aim, type Bench, type Effort, type Row, ratioOf } from './support/bench.ts';
import { type Delivered, type Load, startLoad } from './support/load.ts';
import { percentile } from './support/numbers.ts';
import { benchServer, launch, MASTER_KEY, type ServerProcess, vigil } from './support/server-process.ts';
import { type WorkFolder, workFolder } from './support/work-folder.ts';

const CONNECTIONS = 32;
const AUTHORIZED = { authorization: `Bearer ${MASTER_KEY}` };
const ANSWER = JSON.stringify({ greeting: 'hello', numbers: [1, 2, 3] });
/** What the service sends with every answer; the request's id is as long as one that it makes. */
const HEADERS = JSON.stringify({
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': '0123abcd-4t0z',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
});

export const request: Bench = {
  name: 'request',
  question: 'How many authenticated requests per second does the service answer, beside Fastify with nothing over it?',
  yardstick: 'Fastify of the same version without log, authentication and metrics, answering the same bytes',
  aim: 'at least half of the requests per second of bare Fastify, at no more than twice its processor time; 0.27 for one company',

  async run(effort) {
    using folder = workFolder();
    await using load = startLoad();
    await using candidates = await startCandidates(folder);
    const rows = rowsOf(await measureInTurn(candidates.list, load, effort));
    return { rows, notes: [...NOTES, ...disturbances(rows)] };
  },
};

const NOTES = [
  `${CONNECTIONS} connections from one other process, no pipelining; every server has its own process, and they are loaded in turn.`,
  'Rates and p99 are of the best round: what else runs on the machine only ever takes away. Processor time is of all rounds and all threads of the server, from the system; it tells the same when the machine is busy.',
  'No published operation touches no data beyond authentication, so "constant operation" is declared by the bench and served by src/http/server.ts with the real accounts, request log (level info, to a file) and metrics.',
  '"one company" is GET /api/core/companies/{guid} of the whole service as `vigil serve` starts it: one row read.',
];

interface Candidate {
  readonly name: string;
  readonly server: ServerProcess;
  readonly path: string;
}

interface Round {
  readonly rate: number;
  readonly p99: number;
  readonly requests: number;
  readonly cpuSeconds: number;
}

interface Taken {
  readonly name: string;
  readonly rounds: Round[];
}

async function startCandidates(folder: WorkFolder): Promise<{ list: Candidate[] } & AsyncDisposable> {
  await using started = new AsyncDisposableStack();
  const start = async (file: string, ...args: readonly string[]) =>
    started.use(
      await launch({
        script: benchServer(file),
        args: (port) => [String(port), ANSWER, ...args],
        logFile: folder.at(`${file}.log`),
        environment: { VIGIL_MASTER_KEY: MASTER_KEY },
      }),
    );
  const node = await start('bare-node.mjs', HEADERS);
  const fastify = await start('bare-fastify.mjs', HEADERS);
  const constant = await start('constant-operation.ts', folder.at('constant'));
  const service = started.use(await launch(vigil({ folder: folder.at('service'), logFile: folder.at('service.log') })));
  await service.ready('/readyz');
  const list = [
    { name: 'bare Fastify', server: fastify, path: '/hello' },
    { name: 'bare node:http', server: node, path: '/hello' },
    { name: 'constant operation', server: constant, path: '/api/core/constant' },
    { name: 'one company', server: service, path: `/api/core/companies/${await someCompany(service.port)}` },
  ];
  const kept = started.move();
  return { list, [Symbol.asyncDispose]: async () => kept.disposeAsync() };
}

async function someCompany(port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/core/companies`, { headers: AUTHORIZED });
  const { companies } = (await answer.json()) as { companies: { guid: string }[] };
  return companies[0]?.guid ?? '';
}

async function measureInTurn(candidates: readonly Candidate[], load: Load, { isQuick, say }: Effort): Promise<Taken[]> {
  const [rounds, milliseconds] = isQuick ? [2, 1000] : [10, 3000];
  const ask = ({ server, path }: Candidate) =>
    load.run({ port: server.port, path, headers: AUTHORIZED, connections: CONNECTIONS, milliseconds });
  for (const candidate of candidates) await whenListening(() => ask(candidate));
  const taken = candidates.map(({ name }): Taken => ({ name, rounds: [] }));
  for (let round = 1; round <= rounds; round += 1) {
    say(`round ${round} of ${rounds}`);
    for (const [index, candidate] of candidates.entries()) {
      const before = candidate.server.cpuSeconds() ?? Number.NaN;
      const delivered = await ask(candidate);
      const after = candidate.server.cpuSeconds() ?? Number.NaN;
      taken[index]?.rounds.push(roundOf(delivered, after - before));
    }
  }
  return taken;
}

/** A server that has not begun to listen refuses its warm-up. */
async function whenListening(warmUp: () => Promise<unknown>): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await warmUp();
      return;
    } catch (error) {
      if (attempt === 100) throw error;
      await pause(100);
    }
  }
}

const roundOf = ({ requests, milliseconds, latencies }: Delivered, cpuSeconds: number): Round => ({
  rate: (requests / milliseconds) * 1000,
  p99: percentile([...latencies], 0.99),
  requests,
  cpuSeconds,
});

/** Of the requests per second of bare Fastify. */
const MIN_OF_BARE: Readonly<Record<string, number>> = { 'constant operation': 0.5, 'one company': 0.27 };

function rowsOf(taken: readonly Taken[]): Row[] {
  const [yardstick] = taken;
  if (!yardstick) return [];
  const held = bestOf(yardstick);
  // The same aim in terms of cost: it holds, or not, on a busy machine too.
  const double = { of: 'ratio', is: 'at most', bound: 2 } as const;
  return taken.flatMap((one): Row[] => {
    const { rate, p99 } = bestOf(one);
    const cpu = { value: cpuOf(one), yardstick: cpuOf(yardstick) };
    const least = MIN_OF_BARE[one.name];
    const rateAim: { aim?: Aim } = least === undefined ? {} : { aim: { of: 'ratio', is: 'at least', bound: least } };
    const aimed = (aim: Aim) => (one.name === 'constant operation' ? { aim } : {});
    const cost: Row = { what: `${one.name}: processor time`, unit: 'µs', ...cpu, ...aimed(double) };
    return [
      { what: `${one.name}: requests`, value: rate, unit: '/s', yardstick: held.rate, ...rateAim },
      { what: `${one.name}: p99`, value: p99, unit: 'ms', yardstick: held.p99 },
      ...(Number.isNaN(cpu.value) ? [] : [cost]),
    ];
  });
}

/** A server on a core of its own answers as many requests as its processor time allows; else something took the core. */
function disturbances(rows: readonly Row[]): string[] {
  const ratio = (what: string) => ratioOf(rows.find((row) => row.what === `constant operation: ${what}`) ?? NO_ROW);
  const byRate = ratio('requests');
  const byCost = ratio('processor time');
  if (byRate === undefined || byCost === undefined || Math.abs(byRate * byCost - 1) < DISTURBED_FROM) return [];
  return [
    `DISTURBED: by requests the ratio is ${byRate.toFixed(2)}, by processor time ${(1 / byCost).toFixed(2)}. Something else used the machine, so the ratio of requests says nothing; repeat the run.`,
  ];
}

const DISTURBED_FROM = 0.2;
const NO_ROW: Row = { what: '', value: 0, unit: '/s' };

const bestOf = ({ rounds }: Taken): { rate: number; p99: number } =>
  rounds.toSorted((a, b) => b.rate - a.rate)[0] ?? { rate: 0, p99: 0 };

/** Microseconds per request. */
function cpuOf({ rounds }: Taken): number {
  const sum = (of: (round: Round) => number) => rounds.reduce((total, round) => total + of(round), 0);
  return (sum(({ cpuSeconds }) => cpuSeconds) / sum(({ requests }) => requests)) * 1e6;
}
