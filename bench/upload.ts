// How quickly an uploaded log is in its table, durable and readable, beside DuckDB that merely copies the same file; and
// whether the service needs more memory the longer that takes.

import { rowsOf } from '#test/support/logs.ts';
import { createTable, opened, STREAMS } from '#test/support/uploads.ts';
import type { Copied } from './support/bare-duckdb.ts';
import { type Aim, type Bench, type Effort, ofRaggedLog, type Row } from './support/bench.ts';
import type { LogCorpus } from './support/log-corpus.ts';
import { sendFile } from './support/send-file.ts';
import { launch, type Memory, type ServerProcess, vigil } from './support/server-process.ts';
import { serviceOf } from './support/service-calls.ts';
import type { SharedLogs } from './support/shared-logs.ts';
import { workFolder } from './support/work-folder.ts';

const TABLE = 'access';
const ROUNDS = 3;
const SAMPLE_MS = 50;
const HALF = { of: 'ratio', is: 'at least', bound: 0.5 } as const;
const QUARTER = { of: 'ratio', is: 'at least', bound: 0.25 } as const;
const FLAT = { of: 'ratio', is: 'at most', bound: 1.2 } as const;

export const upload: Bench = {
  name: 'upload',
  question: 'How many records per second does an upload bring into a table, from its first byte to its completion?',
  yardstick: 'COPY of DuckDB alone, the same file with the same columns to one Parquet file (snappy), not flushed',
  aim: 'at least 0.5 of its speed, 0.25 on the ragged log; memory flat: at most 1.2 times that of the first fifth of each step',

  async run(effort) {
    const uniform = await uploadInTurn(effort.logs, HALF, effort);
    const ragged = await uploadInTurn(effort.raggedLogs, QUARTER, effort);
    return {
      rows: [...uniform.rows, ...ofRaggedLog(ragged.rows)],
      notes: [uniform.about, ragged.about, ...NOTES],
    };
  },
};

async function uploadInTurn(logs: SharedLogs, aim: Aim, { isQuick, say }: Effort) {
  const corpus = await logs.corpus();
  const copies: Copied[] = [];
  const uploads: Uploaded[] = [];
  for (let round = 1; round <= (isQuick ? 1 : ROUNDS); round += 1) {
    copies.push(await logs.copyAgain());
    say(`upload ${round}`);
    uploads.push(await uploadLog(corpus));
  }
  return { about: corpus.about, rows: rowsFrom({ corpus, copies, uploads, aim }) };
}

const NOTES = [
  'One PATCH of the whole file to `vigil serve`, columnar, snappy, then the completion; a new service for each round. The completion is checked, and so is the count afterwards.',
  'Rates and processor time are of the best round, memory (VmRSS, every 50 ms) of the worst.',
];

interface Uploaded {
  readonly sendSeconds: number;
  readonly importSeconds: number;
  readonly cpuSeconds: number;
  readonly sending: readonly Memory[];
  readonly importing: readonly Memory[];
}

async function uploadLog({ file, bytes, records }: LogCorpus): Promise<Uploaded> {
  using folder = workFolder();
  await using server = await launch(vigil({ folder: folder.path }));
  await server.ready('/readyz');
  const service = serviceOf(server);
  await createTable(service, TABLE);
  const token = await opened(service, { file_size: bytes, metadata: { table: TABLE } });
  const cpuBefore = server.cpuSeconds() ?? Number.NaN;
  const sent = await watched(server, () => sendFile(server, token, file));
  const imported = await watched(server, () => service.call('POST', `${STREAMS}/${token}/complete`));
  const cpuSeconds = (server.cpuSeconds() ?? Number.NaN) - cpuBefore;
  const [{ count }] = await rowsOf(service, `table ${TABLE} | stats count`);
  if (imported.value.json.accepted !== records || count !== records) {
    throw new Error(`${imported.value.json.accepted} records accepted, ${count} counted, of ${records}`);
  }
  return {
    sendSeconds: sent.seconds,
    importSeconds: imported.seconds,
    cpuSeconds,
    sending: sent.samples,
    importing: imported.samples,
  };
}

async function watched<T>(server: ServerProcess, work: () => Promise<T>) {
  const samples: Memory[] = [];
  const sampling = setInterval(() => {
    const memory = server.memory();
    if (memory) samples.push(memory);
  }, SAMPLE_MS);
  const begun = performance.now();
  try {
    const value = await work();
    return { value, samples, seconds: (performance.now() - begun) / 1000 };
  } finally {
    clearInterval(sampling);
  }
}

interface Measured {
  readonly corpus: LogCorpus;
  readonly copies: readonly Copied[];
  readonly uploads: readonly Uploaded[];
  readonly aim: Aim;
}

function rowsFrom({ corpus: { records, bytes }, copies, uploads, aim }: Measured): Row[] {
  const best = (of: (one: Uploaded) => number) => Math.min(...uploads.map(of));
  const copySeconds = Math.min(...copies.map(({ seconds }) => seconds));
  const copyCpu = Math.min(...copies.map(({ cpuSeconds }) => cpuSeconds));
  const cpu = best(({ cpuSeconds }) => cpuSeconds);
  const yardstick = records / copySeconds;
  const perRecord = (seconds: number) => (seconds / records) * 1e6;
  return [
    {
      what: 'records, first byte to completion',
      value: records / best(({ sendSeconds, importSeconds }) => sendSeconds + importSeconds),
      unit: '/s',
      yardstick,
      aim,
    },
    {
      what: 'records, completion alone',
      value: records / best(({ importSeconds }) => importSeconds),
      unit: '/s',
      yardstick,
    },
    { what: 'megabytes sent per second', value: bytes / 1e6 / best(({ sendSeconds }) => sendSeconds), unit: '/s' },
    ...(Number.isNaN(cpu)
      ? []
      : [{ what: 'processor time', value: perRecord(cpu), unit: 'µs', yardstick: perRecord(copyCpu) } as const]),
    ...memoryRows(
      'while sent',
      uploads.map(({ sending }) => sending),
    ),
    ...memoryRows(
      'while imported',
      uploads.map(({ importing }) => importing),
    ),
  ];
}

/** The highest reading of a step, held against the highest of its first fifth. */
function memoryRows(when: string, rounds: readonly (readonly Memory[])[]): Row[] {
  const highest = (samples: readonly Memory[]) => Math.max(...samples.map(({ residentBytes }) => residentBytes / 1e6));
  const seen = rounds.filter(({ length }) => length >= 5);
  if (seen.length === 0) return [];
  const value = Math.max(...seen.map(highest));
  const yardstick = Math.max(...seen.map((samples) => highest(samples.slice(0, Math.floor(samples.length / 5)))));
  return [{ what: `memory ${when}, highest`, value, unit: 'MB', yardstick, aim: FLAT }];
}
