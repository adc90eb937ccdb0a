// The console in a browser: its first load, the first rows of a search, scrolling, and the memory of a page that follows records.

import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { consoleFolder } from '#runtime/bundle.ts';
import { chromiumMissing, launchChromium } from '#test/support/chromium.ts';
import type { Bench, Effort, Row } from './support/bench.ts';
import {
  bareBox,
  firstRowsTime,
  freshPage,
  heapBytes,
  loadTime,
  SEARCH_EDITOR,
  SIGN_IN_FIELD,
  scrollFrames,
  whenSettled,
} from './support/console-page.ts';
import { TABLE } from './support/log-fill.ts';
import { median } from './support/numbers.ts';
import { benchServer, launch, MASTER_KEY, type ServerProcess, vigil } from './support/server-process.ts';
import { type Service, serviceOf } from './support/service-calls.ts';
import { storedLog } from './support/stored-log.ts';
import { timed } from './support/timed.ts';

/** The range of the page is the last day, and the log is older. */
const RECORDS = `table from=2000-01-01 ${TABLE}`;
const QUERIES = { newest: RECORDS, filtered: `${RECORDS} | search level == "ERROR"` };
const TAILED = 'tailed';
/** Of an hour with a hundred records a second. */
const TAILED_RECORDS = 360_000;
const TAIL_SECONDS = 120;
const QUICK_TAIL_SECONDS = 12;
const BATCHES_PER_SECOND = 4;

const NEAR = { of: 'ratio', is: 'at most', bound: 1.25 } as const;
const SMOOTH = { of: 'ratio', is: 'at least', bound: 0.95 } as const;
const IN_A_FRAME = { of: 'value', is: 'at most', bound: 1000 / 60 } as const;
const FLAT = { of: 'ratio', is: 'at most', bound: 1.2 } as const;

export const consoleBench: Bench = {
  name: 'console',
  question:
    'How long does the console take to load and to show first rows, does it scroll smoothly, what does it hold?',
  yardstick:
    'a bare server of the same files; the same cursor over HTTP without a browser; a bare box that scrolls; the heap after the first tenth of the records',
  aim: 'first load at most 1.25 times, scrolling at least 0.95 of the frames and a main thread that needs less than a frame, memory at most 1.2 times; first rows are reported',

  async run(effort) {
    const missing = chromiumMissing();
    if (missing !== '') return { rows: [], notes: [`CHROMIUM DID NOT RUN: ${missing}. Nothing was measured.`] };
    const log = await storedLog({ logs: effort.raggedLogs });
    await using server = await launch(vigil({ folder: log.folder }));
    await server.ready('/readyz');
    const browser = await launchChromium();
    try {
      const rows = [
        ...(await firstLoads(browser, server, effort)),
        ...(await firstRows(browser, server, effort)),
        ...(await scrolling(browser, server, effort)),
        ...(await tailing(browser, server, effort)),
      ];
      return { rows, notes: [(await effort.raggedLogs.corpus()).about, ...NOTES] };
    } finally {
      await browser.close();
    }
  },
};

const NOTES = [
  'Headless Chromium of Debian, 1440 × 900, times by the clock of the page, medians of turns. A first load has neither cache nor compiled code; it ends with the frame that shows the field for the key, or the editor of Search.',
  'First rows: from Ctrl-Enter to the frame with the first row, beside POST /cursors and the first page of rows by GET /cursors/:id from this process, as the page asks for them.',
  `Live tail: ${TAILED_RECORDS.toLocaleString('en')} records, an hour of a hundred a second, in ${TAIL_SECONDS} s (a tenth of both in a quick run); the heap of the page after a collection.`,
];

const urlOf = ({ port }: Pick<ServerProcess, 'port'>): string => `http://127.0.0.1:${port}`;

async function firstLoads(browser: Browser, server: ServerProcess, { isQuick, say }: Effort): Promise<Row[]> {
  const script = benchServer('bare-static.mjs');
  await using bare = await launch({ script, args: (port) => [String(port), consoleFolder()] });
  await bare.ready('/');
  const turns = isQuick ? 3 : 15;
  const times = { ours: [] as number[], bare: [] as number[], search: [] as number[] };
  const load = async (target: Pick<ServerProcess, 'port'>, path: string, isSignedIn: boolean) => {
    const page = await freshPage(browser, urlOf(target), { isSignedIn });
    const time = await loadTime(page, urlOf(target) + path, isSignedIn ? SEARCH_EDITOR : SIGN_IN_FIELD);
    await page.context().close();
    return time;
  };
  for (let turn = 0; turn <= turns; turn += 1) {
    say(`first load, ${turn} of ${turns}`);
    const found = [await load(server, '/', false), await load(bare, '/', false), await load(server, '/search', true)];
    // The files of the first turn are read from the disk.
    if (turn === 0) continue;
    for (const [index, name] of (['ours', 'bare', 'search'] as const).entries()) times[name].push(found[index] ?? 0);
  }
  const yardstick = median(times.bare);
  return [
    { what: 'first load to the sign-in', value: median(times.ours), unit: 'ms', yardstick, aim: NEAR },
    { what: 'first load of Search, signed in', value: median(times.search), unit: 'ms', yardstick },
  ];
}

async function firstRows(browser: Browser, server: ServerProcess, { isQuick, say }: Effort): Promise<Row[]> {
  const turns = isQuick ? 3 : 15;
  const service = serviceOf(server);
  const page = await freshPage(browser, urlOf(server), { isSignedIn: true });
  const rows: Row[] = [];
  for (const [name, query] of Object.entries(QUERIES)) {
    const ours: number[] = [];
    const bare: number[] = [];
    for (let turn = 0; turn <= turns; turn += 1) {
      say(`first rows, ${name}, ${turn} of ${turns}`);
      const shown = await firstRowsTime(page, urlOf(server), query);
      const answered = await cursorTime(service, query);
      if (turn === 0) continue;
      ours.push(shown);
      bare.push(answered);
    }
    rows.push({ what: `first rows, ${name}`, value: median(ours), unit: 'ms', yardstick: median(bare) });
  }
  await page.context().close();
  return rows;
}

/** The first page of rows, as the page of the console asks for it. */
async function cursorTime(service: Service, q: string): Promise<number> {
  let id = 0;
  const { milliseconds } = await timed(async () => {
    id = (await service.call('POST', '/api/core/cursors', { json: { q } })).json.id;
    const { text } = await service.call('GET', `/api/core/cursors/${id}?limit=100&times=millis&wait=20`);
    if (text === '') throw new Error(`no rows: ${q}`);
  });
  await service.call('DELETE', `/api/core/cursors/${id}`);
  return milliseconds;
}

async function scrolling(browser: Browser, server: ServerProcess, { isQuick, say }: Effort): Promise<Row[]> {
  say('scrolling');
  const frames = isQuick ? 120 : 900;
  const page = await freshPage(browser, urlOf(server), { isSignedIn: true });
  await firstRowsTime(page, urlOf(server), RECORDS);
  await whenSettled(page);
  const ours = await scrollFrames(page, frames);
  await page.context().close();
  const box = await bareBox(browser);
  const bare = await scrollFrames(box, frames);
  await box.close();
  return [
    { what: 'frames while scrolling', value: ours.perSecond, unit: '/s', yardstick: bare.perSecond, aim: SMOOTH },
    { what: 'longest frame', value: ours.longest, unit: 'ms', yardstick: bare.longest },
    { what: 'main thread per frame', value: ours.cost, unit: 'ms', yardstick: bare.cost, aim: IN_A_FRAME },
  ];
}

async function tailing(browser: Browser, server: ServerProcess, { isQuick, say }: Effort): Promise<Row[]> {
  const service = serviceOf(server);
  await service.call('POST', '/api/core/tables', { form: { table: TAILED } });
  const page = await freshPage(browser, urlOf(server), { isSignedIn: true });
  await page.goto(`${urlOf(server)}/search?q=${encodeURIComponent(`table ${TAILED}`)}&live=true`);
  await page.getByText('Waiting for new records').waitFor();
  const seconds = isQuick ? QUICK_TAIL_SECONDS : TAIL_SECONDS;
  const heaps = await pushEvenly(server, { seconds, page, say });
  await page.getByRole('treegrid').waitFor();
  await page.context().close();
  await service.call('DELETE', `/api/core/tables/${TAILED}`);
  const [early = Number.NaN, late = Number.NaN] = heaps.map((bytes) => bytes / 1e6);
  return [
    { what: 'heap of a live tail, first tenth', value: early, unit: 'MB' },
    { what: 'heap of a live tail, whole hour', value: late, unit: 'MB', yardstick: early, aim: FLAT },
  ];
}

interface Tailing {
  readonly seconds: number;
  readonly page: Page;
  say(line: string): void;
}

/** The heap after a tenth of the records, and after all. */
async function pushEvenly(server: ServerProcess, { seconds, page, say }: Tailing): Promise<number[]> {
  const batches = seconds * BATCHES_PER_SECOND;
  const size = TAILED_RECORDS / (TAIL_SECONDS * BATCHES_PER_SECOND);
  const heaps: number[] = [];
  const begun = performance.now();
  for (let batch = 1; batch <= batches; batch += 1) {
    await pushBatch(server, batch * size, size);
    if (batch === Math.ceil(batches / 10) || batch === batches) heaps.push(await heapBytes(page));
    if (batch % BATCHES_PER_SECOND === 0) say(`live tail, ${batch / BATCHES_PER_SECOND} of ${seconds} s`);
    await pause(Math.max(0, begun + (batch * 1000) / BATCHES_PER_SECOND - performance.now()));
  }
  return heaps;
}

async function pushBatch(server: ServerProcess, first: number, count: number): Promise<void> {
  const lines = Array.from(
    { length: count },
    (_, at) =>
      `{"n":${first + at},"host":"web${at % 7}","path":"/shop/${at}","line":"GET /shop/${at} 200 ${'x'.repeat(80)}"}`,
  );
  const answer = await fetch(`${urlOf(server)}/api/core/tables/${TAILED}/logs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${MASTER_KEY}`, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  });
  if (!answer.ok) throw new Error(`not pushed: ${await answer.text()}`);
}
