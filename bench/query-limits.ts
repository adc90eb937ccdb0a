// What the limits of queries cost those who never reach one: the same pipelines with limits as they are by default, and with
// limits that nothing could reach.

import type { Bench, Effort, Row } from './support/bench.ts';
import { CORPUS_VARIABLE } from './support/log-corpus.ts';
import { TABLE } from './support/log-fill.ts';
import { median } from './support/numbers.ts';
import { addOwners } from './support/owners.ts';
import { type Asked, type Pipeline, pipelines } from './support/pipelines.ts';
import { answered } from './support/query-calls.ts';
import { launch, vigil } from './support/server-process.ts';
import { serviceOf } from './support/service-calls.ts';
import { NEEDS_GENERATED, storedLog } from './support/stored-log.ts';
import { timed } from './support/timed.ts';

const TRACES = 40;
const AIM = { of: 'ratio', is: 'at most', bound: 1.05 } as const;

const TEBIBYTE = String(2 ** 40);
const OUT_OF_REACH: Readonly<Record<string, string>> = {
  'queries-waiting-per-account': '100000',
  'queries-waiting-in-all': '100000',
  'query-time': '2000000',
  'query-disk': TEBIBYTE,
  'query-disk-per-account': TEBIBYTE,
  'query-result': TEBIBYTE,
  'query-results-per-account': TEBIBYTE,
  'query-results-in-all': TEBIBYTE,
  'query-statuses-per-account': '1000000',
  'query-statuses-in-all': '1000000',
};

export const queryLimits: Bench = {
  name: 'query-limits',
  question: 'What do the limits of queries cost those who do not reach them?',
  yardstick: 'the same service with limits that are out of reach',
  aim: 'at most 1.05 times as long',

  async run(effort) {
    if (process.env[CORPUS_VARIABLE]) return { rows: [], notes: [NEEDS_GENERATED] };
    const log = await storedLog(effort);
    const owners = await addOwners(log);
    const found = await log.duckdb.rows(`select trace from ${log.files} order by md5(trace) limit ${TRACES}`);
    const words = found.map(({ trace }) => String(trace));
    const about: Asked = { files: log.files, owners, texts: [], columns: new Set(), words, users: [] };
    const limited = new Times();
    const unlimited = new Times();
    const rounds = effort.isQuick ? 1 : 4;
    for (let round = 0; round < rounds; round += 1) {
      effort.say(`round ${round + 1} of ${rounds}`);
      await askAll({ folder: log.folder, about, round, settings: {} }, limited, effort);
      await askAll({ folder: log.folder, about, round, settings: OUT_OF_REACH }, unlimited, effort);
    }
    const rows = pipelines.map((pipeline) => rowOf(pipeline, limited, unlimited));
    return { rows, notes: [(await effort.logs.corpus()).about, ...NOTES] };
  },
};

const NOTES = [
  'GET /api/core/query of `vigil serve`, both settings in turn, each time in a new process over the same log. The memory of all queries is the same in both: it decides what DuckDB keeps in its caches.',
];

/** Milliseconds by the name of a pipeline. */
class Times {
  readonly #byName = new Map<string, number[]>();

  add(name: string, milliseconds: number): void {
    this.#byName.set(name, [...this.of(name), milliseconds]);
  }

  of(name: string): readonly number[] {
    return this.#byName.get(name) ?? [];
  }
}

interface Round {
  readonly folder: string;
  readonly about: Asked;
  readonly round: number;
  readonly settings: Readonly<Record<string, string>>;
}

async function askAll({ folder, about, round, settings }: Round, times: Times, { isQuick }: Effort): Promise<void> {
  await using server = await launch(vigil({ folder, settings }));
  await server.ready('/readyz');
  const service = serviceOf(server);
  // What a first query has to load is loaded once in the life of a process.
  await answered(service, `table ${TABLE} | limit 1`);
  const [warmUps, turns] = isQuick ? [1, 2] : [2, 10];
  for (const { name, turn } of pipelines) {
    for (let at = 0; at < warmUps + turns; at += 1) {
      const { query } = turn(round * (warmUps + turns) + at, about);
      const { milliseconds } = await timed(() => answered(service, query));
      if (at >= warmUps) times.add(name, milliseconds);
    }
  }
}

const rowOf = ({ name }: Pipeline, limited: Times, unlimited: Times): Row => ({
  what: `${name}: p50`,
  value: median(limited.of(name)),
  unit: 'ms',
  yardstick: median(unlimited.of(name)),
  aim: AIM,
});
