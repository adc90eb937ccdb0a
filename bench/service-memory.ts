// How much memory the service holds: idle, after a large upload, while it takes pushes and answers small queries for an
// hour, and when that is over. Memory that is freed must go back to the system, whoever in the process has held it.

import { closeSync, openSync, readSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createLogger, rowsOf } from '#test/support/logs.ts';
import { opened, STREAMS } from '#test/support/uploads.ts';
import type { Bench, Effort, Row } from './support/bench.ts';
import type { LogCorpus } from './support/log-corpus.ts';
import { median } from './support/numbers.ts';
import { sendFile } from './support/send-file.ts';
import { launch, MASTER_KEY, type ServerProcess, vigil } from './support/server-process.ts';
import { type Service, serviceOf } from './support/service-calls.ts';
import { workFolder } from './support/work-folder.ts';

const TABLE = 'work';
const WORK_MS = 3_600_000;
const QUICK_WORK_MS = 120_000;
const REST_MS = 10_000;
const SAMPLE_MS = 200;
/** Parts of the work that the curve has a point for. */
const POINTS = 5;
const CLIENTS = 4;
/** Between the rounds of a client: the service must have time to spare, or a slower one would have less to hold. */
const EVERY_MS = 500;
const BATCH_BYTES = 256 * 1024;
const QUERIES = [
  `table ${TABLE} | stats count`,
  `table ${TABLE} | search status == 404 | stats count by service`,
  `table ${TABLE} | limit 10`,
];
const SMALL = { of: 'value', is: 'at most', bound: 400 } as const;
const IDLE = { of: 'value', is: 'at most', bound: 120 } as const;
const FLAT = { of: 'ratio', is: 'at most', bound: 1.2 } as const;

export const serviceMemory: Bench = {
  name: 'service-memory',
  question:
    'How much memory does the service hold: idle, after an upload, over an hour of pushes and queries, at rest?',
  yardstick: 'the same service in the first fifth of that work',
  aim: 'idle at most 120 MB, otherwise at most 400 MB, at most 1.2 times as much at every later point',

  async run(effort) {
    const corpus = await effort.raggedLogs.corpus();
    using folder = workFolder();
    await using server = await launch(vigil({ folder: folder.path }));
    await server.ready('/readyz');
    if (!server.memory()) return { rows: [], notes: ['The system does not tell the memory of a process.'] };
    const service = serviceOf(server);
    const idle = await atRest(server);
    const logger = await createLogger(service, { table: TABLE });
    await uploadLog(server, service, corpus);
    const uploaded = await atRest(server);
    const curve = await work(server, { logger, batch: firstLines(corpus.file) }, effort);
    const rested = await atRest(server);
    return { rows: rowsFrom({ idle, uploaded, curve, rested }), notes: [corpus.about, ...NOTES] };
  },
};

const NOTES = [
  `VmRSS. The upload is the whole log in one PATCH and its completion; then ${CLIENTS} clients each push ${BATCH_BYTES / 1024} KiB and ask one of ${QUERIES.length} small queries in turn, every ${EVERY_MS} ms, for an hour (two minutes in a quick run); a point of the curve is the median of a fifth of it.`,
  `At rest means ${REST_MS / 1000} s without a request.`,
];

interface Found {
  readonly idle: number;
  readonly uploaded: number;
  /** Of the parts of the work, in their order. */
  readonly curve: readonly number[];
  readonly rested: number;
}

function rowsFrom({ idle, uploaded, curve, rested }: Found): Row[] {
  const [first = Number.NaN, ...later] = curve;
  return [
    { what: 'idle', value: idle, unit: 'MB', aim: IDLE },
    { what: 'after the upload, at rest', value: uploaded, unit: 'MB', aim: SMALL },
    { what: `work, part 1 of ${POINTS}`, value: first, unit: 'MB', aim: SMALL },
    ...later.map(
      (value, index): Row => ({
        what: `work, part ${index + 2} of ${POINTS}`,
        value,
        unit: 'MB',
        yardstick: first,
        aim: FLAT,
      }),
    ),
    { what: 'after the work, at rest', value: rested, unit: 'MB', aim: SMALL },
  ];
}

const residentOf = (server: ServerProcess): number => (server.memory()?.residentBytes ?? Number.NaN) / 1e6;

async function atRest(server: ServerProcess): Promise<number> {
  await pause(REST_MS);
  return residentOf(server);
}

async function uploadLog(server: ServerProcess, service: Service, { file, bytes, records }: LogCorpus): Promise<void> {
  const token = await opened(service, { file_size: bytes, metadata: { table: TABLE } });
  await sendFile(server, token, file);
  const { json } = await service.call('POST', `${STREAMS}/${token}/complete`);
  if (json.accepted !== records) throw new Error(`${json.accepted} records accepted of ${records}`);
}

interface Pushed {
  readonly logger: string;
  readonly batch: Buffer<ArrayBuffer>;
}

/** The curve: a point for each part of the time. */
async function work(server: ServerProcess, pushed: Pushed, { isQuick, say }: Effort): Promise<number[]> {
  const service = serviceOf(server);
  const workMs = isQuick ? QUICK_WORK_MS : WORK_MS;
  const begun = performance.now();
  const parts: number[][] = Array.from({ length: POINTS }, () => []);
  const sampling = setInterval(() => {
    parts[Math.floor(((performance.now() - begun) / workMs) * POINTS)]?.push(residentOf(server));
  }, SAMPLE_MS);
  const client = async (_: unknown, number: number) => {
    for (let round = number; performance.now() - begun < workMs; round += 1) {
      const next = pause(EVERY_MS);
      await push(server, pushed);
      await rowsOf(service, QUERIES[round % QUERIES.length] ?? '');
      if (round % 500 === 0) say(`${Math.round((performance.now() - begun) / 1000)} s of ${workMs / 1000}`);
      await next;
    }
  };
  try {
    await Promise.all(Array.from({ length: CLIENTS }, client));
  } finally {
    clearInterval(sampling);
  }
  return parts.map(median);
}

async function push({ port }: ServerProcess, { logger, batch }: Pushed): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/core/loggers/${logger}/logs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${MASTER_KEY}`, 'content-type': 'application/x-ndjson' },
    body: batch,
  });
  if (answer.status !== 200) throw new Error(`not taken: ${answer.status} ${await answer.text()}`);
  await answer.bytes();
}

function firstLines(path: string): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(BATCH_BYTES);
  const file = openSync(path, 'r');
  const read = readSync(file, bytes, 0, BATCH_BYTES, 0);
  closeSync(file);
  return bytes.subarray(0, bytes.lastIndexOf('\n', read) + 1);
}
