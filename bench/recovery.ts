// How long a start takes after kill -9 that has to read journals back: requests write a frame each, and a start must not pay
// for their number.

import type { Bench, Effort, Row } from './support/bench.ts';
import { callConcurrently } from './support/concurrent-calls.ts';
import { launch, type ServerProcess, vigil } from './support/server-process.ts';
import { type Service, serviceOf } from './support/service-calls.ts';
import { workFolder } from './support/work-folder.ts';

/** Nothing is sealed before the end of the process. */
const SETTINGS = { 'segment-rows': '2000000', 'seal-after': '86400' };
const FEW_REQUESTS = 100;
const RECORDS_PER_REQUEST = 20;
const MAX_SECONDS = 5;
const MAX_RATIO = 1.2;

export const recovery: Bench = {
  name: 'recovery',
  question:
    'How long from starting the process after kill -9 to the first 200 on /readyz, with unsealed records of many requests?',
  yardstick: `the same records in ${FEW_REQUESTS} requests`,
  aim: `at most ${MAX_SECONDS} s for 1,000,000 records of 50,000 requests, and at most ${MAX_RATIO} times as long`,

  async run(effort) {
    const rows: Row[] = [];
    for (const tables of [1, 200]) rows.push(...(await rowsOver(tables, effort)));
    return { rows, notes: NOTES };
  },
};

const NOTES = [
  `Requests of ${RECORDS_PER_REQUEST} records, spread evenly over the tables, 32 at a time; then the process is killed. A table of one large request has no columns yet, so that its journal has lines, too.`,
  'Processor time is of all threads of the service, until it is ready and until the first query over all tables is answered; its count is checked.',
];

interface Recovered {
  readonly readySeconds: number;
  readonly readyProcessorSeconds: number;
  readonly countedSeconds: number;
  readonly countedProcessorSeconds: number;
}

async function rowsOver(tables: number, effort: Effort): Promise<Row[]> {
  const records = effort.isQuick ? 40_000 : 1_000_000;
  const many = await recover({ records, tables, requests: records / RECORDS_PER_REQUEST }, effort);
  const few = await recover({ records, tables, requests: FEW_REQUESTS }, effort);
  const name = tables === 1 ? 'one table' : `${tables} tables`;
  const row = (what: string, figure: keyof Recovered, aim?: Row['aim']): Row => ({
    what: `${name}, ${what}`,
    value: many[figure],
    unit: 's',
    yardstick: few[figure],
    ...(aim ? { aim } : {}),
  });
  return [
    row('to /readyz', 'readySeconds', { of: 'value', is: 'at most', bound: MAX_SECONDS }),
    row('to /readyz, beside few requests', 'readySeconds', { of: 'ratio', is: 'at most', bound: MAX_RATIO }),
    row('processor time to /readyz', 'readyProcessorSeconds'),
    row('to the first count', 'countedSeconds'),
    row('processor time to the first count', 'countedProcessorSeconds'),
  ];
}

interface Filling {
  readonly records: number;
  readonly tables: number;
  readonly requests: number;
}

async function recover(filling: Filling, { say }: Effort): Promise<Recovered> {
  using folder = workFolder();
  const declared = vigil({ folder: folder.path, settings: SETTINGS });
  {
    const server = await launch(declared);
    await server.ready('/readyz');
    say(`${filling.records} records in ${filling.requests} requests over ${filling.tables} tables`);
    await fill(serviceOf(server), filling);
    await server.kill();
  }
  await using server = await launch(declared);
  return await measure(server, filling);
}

async function fill(service: Service, { records, tables, requests }: Filling): Promise<void> {
  for (let table = 0; table < tables; table += 1) {
    await service.call('POST', '/api/core/tables', { form: { table: `t${table}` } });
  }
  const perRequest = records / requests;
  const headers = { 'content-type': 'application/x-ndjson' };
  await callConcurrently(requests, async (number) => {
    const body = bodyOf(number * perRequest, perRequest);
    await service.call('POST', `/api/core/tables/t${number % tables}/logs`, { headers, body });
  });
}

function bodyOf(first: number, count: number): string {
  let body = '';
  for (let at = first; at < first + count; at += 1) {
    body += `{"_time":${1763434983000 + at},"host":"web${at % 20}","status":${200 + (at % 5)},"path":"/page/${at % 1000}","user":"user${at % 300}","bytes":${(at * 7) % 100_000},"ms":${(at % 1000) / 10},"agent":"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36"}\n`;
  }
  return body;
}

async function measure(server: ServerProcess, { records }: Filling): Promise<Recovered> {
  const readySeconds = (await server.ready('/readyz')) / 1000;
  const readyProcessorSeconds = server.cpuSeconds() ?? Number.NaN;
  const q = encodeURIComponent('table t* | stats count');
  const { text } = await serviceOf(server).call('GET', `/api/core/query?q=${q}`);
  const countedSeconds = (await server.ready('/readyz')) / 1000;
  if (text !== `{"count":${records}}\n`) throw new Error(`${records} records were stored, not ${text}`);
  return {
    readySeconds,
    readyProcessorSeconds,
    countedSeconds,
    countedProcessorSeconds: server.cpuSeconds() ?? Number.NaN,
  };
}
