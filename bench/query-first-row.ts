// How soon the first rows of the newest records are there.

import type { Bench, Effort, Row } from './support/bench.ts';
import { TABLE } from './support/log-fill.ts';
import { percentile } from './support/numbers.ts';
import { queryPath, rowsIn, type WireRow } from './support/query-calls.ts';
import { requireSame } from './support/require-same.ts';
import { launch, MASTER_KEY, type ServerProcess, vigil } from './support/server-process.ts';
import { type StoredLog, storedLog } from './support/stored-log.ts';
import { timed } from './support/timed.ts';

const LAST = 100;
const QUERY = `table ${TABLE} | limit ${LAST}`;

export const queryFirstRow: Bench = {
  name: 'query-first-row',
  question: `How long does it take from a request to the first row of \`${QUERY}\`?`,
  yardstick: 'SQL written by hand for the same rows, in DuckDB alone, over the very same Parquet files',
  aim: 'none, told only',

  async run(effort) {
    const log = await storedLog(effort);
    await using server = await launch(vigil({ folder: log.folder }));
    await server.ready('/readyz');
    const rows = await askInTurn(server, log, effort);
    return { rows, notes: [(await effort.logs.corpus()).about, ...NOTES] };
  },
};

const NOTES = [
  'GET /api/core/query of `vigil serve`, from sending the request to the first byte of the body and to its last; plain SQL is told when it has all its rows, because it has none before it has sorted. Both in turn; the records must be the same.',
];

async function askInTurn(
  server: ServerProcess,
  { duckdb, files }: StoredLog,
  { isQuick, say }: Effort,
): Promise<Row[]> {
  const [warmUps, turns] = isQuick ? [2, 10] : [5, 60];
  const sql = `select * from ${files} order by _time desc, _id desc limit ${LAST}`;
  const first: number[] = [];
  const last: number[] = [];
  const plain: number[] = [];
  for (let turn = 0; turn < warmUps + turns; turn += 1) {
    say(`first row, ${turn + 1} of ${warmUps + turns}`);
    const ours = await arrival(server);
    const expected = await timed(() => duckdb.rows(sql));
    requireSame(QUERY, idsOf(ours.rows), idsOf(expected.value));
    if (turn < warmUps) continue;
    first.push(ours.first);
    last.push(ours.last);
    plain.push(expected.milliseconds);
  }
  return [
    ...[0.5, 0.95].map((share) => rowOf(`first row: p${share * 100}`, [first, plain], share)),
    ...[0.5, 0.95].map((share) => rowOf(`last row: p${share * 100}`, [last, plain], share)),
  ];
}

const rowOf = (what: string, [ours, plain]: [readonly number[], readonly number[]], share: number): Row => ({
  what,
  value: percentile(ours, share),
  unit: 'ms',
  yardstick: percentile(plain, share),
});

const idsOf = (rows: readonly WireRow[]): number[] => rows.map(({ _id }) => Number(_id));

interface Arrival {
  /** Milliseconds to the first byte of the body, and to its end. */
  readonly first: number;
  readonly last: number;
  readonly rows: readonly WireRow[];
}

async function arrival({ port }: ServerProcess): Promise<Arrival> {
  const begun = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}${queryPath(QUERY)}`, {
    headers: { authorization: `Bearer ${MASTER_KEY}` },
  });
  if (!answer.ok || !answer.body) throw new Error(`${answer.status} for ${QUERY}: ${await answer.text()}`);
  let text = '';
  let first = Number.NaN;
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    if (text === '') first = performance.now() - begun;
    text += chunk;
  }
  return { first, last: performance.now() - begun, rows: rowsIn(text) };
}
