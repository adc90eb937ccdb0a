// How quickly pushed logs are taken: through the published operation, durable and readable when they are answered,
// beside DuckDB that merely copies the same file.

import type { Copied } from './support/bare-duckdb.ts';
import { type Bench, ofRaggedLog, type Row } from './support/bench.ts';
import { CLICKHOUSE_NOTE, type ClickHouseInsert, isClickHouse } from './support/clickhouse.ts';
import type { LogFill, Recipe } from './support/log-fill.ts';
import { percentile } from './support/numbers.ts';
import { type SharedLogs, USUAL } from './support/shared-logs.ts';

/** Of the log, for each way of pushing. */
const PART = 0.2;
/** Clients that push in batches of 5,000. */
const COMPARED = [1, 4];

export const logPush: Bench = {
  name: 'log-push',
  question: 'How many pushed records per second become durable and readable?',
  yardstick: 'COPY of DuckDB alone, the same file with the same columns to one Parquet file (snappy), not flushed',
  aim: 'beside durable inserts of ClickHouse at most 1.1 times as long; a million in 5 s with one client, 3.5 with four, and 7 s of processor time',

  async run(effort) {
    const uniform = await pushInTurn(effort.logs, recipes());
    const ragged = await pushInTurn(effort.raggedLogs, raggedRecipes());
    const beside = await besideClickHouse(effort.raggedLogs);
    return {
      rows: [...uniform.rows, ...ofRaggedLog([...ragged.rows, ...beside.rows])],
      notes: [uniform.about, ragged.about, ...NOTES, beside.note],
    };
  },
};

async function pushInTurn(logs: SharedLogs, recipes: readonly Recipe[]) {
  const { about, records } = await logs.corpus();
  const copies: Copied[] = [];
  const fills: LogFill[] = [];
  for (const recipe of recipes) {
    // Before each, so that both meet the machine in the same moods.
    copies.push(await logs.copyAgain());
    fills.push(await logs.filled(recipe));
  }
  const copy = costOf(copies, records);
  return { about, rows: fills.flatMap((fill) => rowsOf(fill, copy)) };
}

const NOTES = [
  'POST /api/core/loggers/{guid}/logs of `vigil serve`, columnar, snappy, a new service for each; the batches come from one other process, each client waiting for its answer. Each pushes the first fifth of the uniform log, the last one all of it; the ragged log is always pushed whole. Every answer is checked, and the whole count afterwards, after a new start and in the files.',
  '"until sealed" is from the first batch until all full generations were Parquet files; the service ends with the same kind of file as the yardstick, by way of the journal.',
  'Processor time is of all threads of the service until then, or of the copying process, per record. The yardstick is the best of its rounds.',
];

/** All with as many records, and the last once more with the whole log, as a load that lasts. */
function recipes(): Recipe[] {
  const batches = [1_000, 10_000];
  const compared = [1, 8].flatMap((clients) => batches.map((recordsPerBatch) => ({ clients, recordsPerBatch })));
  return [...compared.map((way) => ({ ...USUAL, ...way, share: PART })), USUAL];
}

/** A batch of 5,000 is what common shippers send; the last is the fill that other benches read. */
function raggedRecipes(): Recipe[] {
  return [...COMPARED.map((clients) => ({ ...USUAL, clients, recordsPerBatch: 5_000 })), USUAL];
}

/** The same log and the same batches as durable inserts. */
async function besideClickHouse(logs: SharedLogs): Promise<{ readonly rows: readonly Row[]; readonly note: string }> {
  const clickHouse = await logs.clickHouse();
  if (!isClickHouse(clickHouse)) return { rows: [], note: clickHouse.reason };
  const { file, records } = await logs.corpus();
  const rows: Row[] = [];
  for (const { clients, recordsPerBatch } of raggedRecipes().slice(0, COMPARED.length)) {
    const ours = await logs.filled({ ...USUAL, clients, recordsPerBatch });
    const theirs = await clickHouse.ingest({ file, batch: recordsPerBatch, clients });
    if (theirs.records !== records) throw new Error(`ClickHouse has ${theirs.records} records of ${records}`);
    const name = `${nameOf(ours.recipe)}, beside ClickHouse`;
    const ratio = { of: 'ratio', is: 'at most', bound: 1.1 } as const;
    rows.push({ what: `${name}: time`, value: ours.pushSeconds, unit: 's', yardstick: theirs.seconds, aim: ratio });
    rows.push(...millionRows(name, ours, theirs, clients));
  }
  return { rows, note: CLICKHOUSE_NOTE };
}

/** What a million records take, whatever the log has. */
function millionRows(name: string, ours: LogFill, theirs: ClickHouseInsert, clients: number): Row[] {
  const million = (seconds: number) => (seconds / ours.records) * 1e6;
  const within = (bound: number) => ({ of: 'value', is: 'at most', bound }) as const;
  return [
    {
      what: `${name}: time of a million`,
      value: million(ours.pushSeconds),
      unit: 's',
      yardstick: million(theirs.seconds),
      aim: within(clients === 1 ? 5 : 3.5),
    },
    {
      what: `${name}: processor time of a million`,
      value: million(ours.cpuSeconds),
      unit: 's',
      yardstick: million(theirs.cpuSeconds),
      aim: within(7),
    },
  ];
}

/** Of the best round. */
interface Cost {
  readonly recordsPerSecond: number;
  readonly cpuMicroseconds: number;
}

const costOf = (copies: readonly Copied[], records: number): Cost => ({
  recordsPerSecond: records / Math.min(...copies.map(({ seconds }) => seconds)),
  cpuMicroseconds: (Math.min(...copies.map(({ cpuSeconds }) => cpuSeconds)) / records) * 1e6,
});

function rowsOf(fill: LogFill, copy: Cost): Row[] {
  const { records, pushSeconds, sealSeconds, latencies } = fill;
  const name = nameOf(fill.recipe);
  const rate = (seconds: number): Omit<Row, 'what'> => ({
    value: records / seconds,
    unit: '/s',
    yardstick: copy.recordsPerSecond,
  });
  const answer = (share: number): Omit<Row, 'what'> => ({ value: percentile([...latencies], share), unit: 'ms' });
  const cpu = (fill.cpuSeconds / records) * 1e6;
  const cost: Row = { what: `${name}: processor time`, value: cpu, unit: 'µs', yardstick: copy.cpuMicroseconds };
  return [
    { what: `${name}: records`, ...rate(pushSeconds) },
    { what: `${name}: records, until sealed`, ...rate(pushSeconds + sealSeconds) },
    { what: `${name}: answer, p50`, ...answer(0.5) },
    { what: `${name}: answer, p99`, ...answer(0.99) },
    ...(Number.isNaN(cpu) ? [] : [cost]),
  ];
}

function nameOf({ clients, recordsPerBatch, share }: Recipe): string {
  const load = `${clients} ${clients === 1 ? 'client' : 'clients'}, ${recordsPerBatch.toLocaleString('en')} a batch`;
  return share === 1 ? `${load}, the whole log` : load;
}
