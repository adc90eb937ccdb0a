// How long a search of the audit trail takes, and how that grows when the trail is ten times as long. Two services,
// one over each trail, are asked in turn through the published operation. Shared by the benches of both databases.

import { codeOf, GIVEN_NAMES, thingOf } from './audit-entries.ts';
import { type AuditFill, fillTrail, SECONDS_BETWEEN, stampOf } from './audit-fill.ts';
import type { Effort, Findings, Row } from './bench.ts';
import { percentile } from './numbers.ts';
import type { Databases } from './postgres-databases.ts';
import { launch, MASTER_KEY, type ServerProcess, vigil } from './server-process.ts';
import { type WorkFolder, workFolder } from './work-folder.ts';

const PAGE = 100;
const WINDOW_SECONDS = 6 * 3600;
const CATEGORIES = ['Authentication', 'Users', '사용자 그룹', 'Companies', '인증'];
const NO_MORE_THAN_DOUBLE = { of: 'ratio', is: 'at most', bound: 2 } as const;
const WITHIN_50_MS = { of: 'value', is: 'at most', bound: 50 } as const;

/** On SQLite, or on databases of the PostgreSQL server that is given. */
export async function searchGrowth(effort: Effort, databases?: Databases): Promise<Findings> {
  using folder = workFolder();
  const sizes = effort.isQuick ? [2_000, 20_000] : [100_000, 1_000_000];
  const trails: Trail[] = [];
  for (const size of sizes) trails.push(await makeTrail({ folder, size, databases }, effort.say));
  await using services = new AsyncDisposableStack();
  const asked: Asked[] = [];
  for (const trail of trails) {
    const server = services.use(await launch(vigil(trail.folders)));
    await server.ready('/readyz');
    asked.push({ server, size: trail.size });
  }
  const rows: Row[] = [];
  for (const question of questions) rows.push(...(await askInTurn(question, asked, effort)));
  const [short, long] = trails;
  return { rows: [...rows, ...(short && long ? fillRows(short, long) : [])], notes: NOTES };
}

const NOTES = [
  'GET /api/core/audit-logs of `vigil serve`, one service over each trail, asked in turn; value is the long trail, yardstick the short one, ratio the growth.',
  `Every query differs; the pages have ${PAGE} entries. An entry every ${SECONDS_BETWEEN} seconds, and windows of ${WINDOW_SECONDS / 3600} hours, so both trails have the same number of entries in a window.`,
  'Filled through the audit trail itself (chain, checkpoints, witness, durable group commits); "text index" is the time in which the keyword index was made afterwards.',
];

/** Asks for something else at every `turn`, in a trail of `size` entries. */
interface Question {
  readonly name: string;
  ask(turn: number, size: number): Readonly<Record<string, string>>;
  /** Throws when the answer is not what must be found: a quick wrong answer is no result. */
  check?(total: number): void;
}

const questions: readonly Question[] = [
  {
    name: 'rare keyword inside a word',
    ask: (turn, size) => ({ keywords: codeOf(entryAt(turn, size)).slice(1, 9) }),
    check: (total) => requireTotal(total === 1, total),
  },
  {
    name: 'rare keyword, middle of a guid',
    ask: (turn, size) => ({ keywords: thingOf(entryAt(turn, size)).slice(4, 23) }),
    check: (total) => requireTotal(total === 1, total),
  },
  {
    name: 'two Korean letters',
    ask: (turn) => ({ keywords: GIVEN_NAMES[turn % GIVEN_NAMES.length] ?? '' }),
    check: (total) => requireTotal(total > 0, total),
  },
  {
    name: 'category within six hours',
    ask(turn, size) {
      const from = entryAt(turn, size - WINDOW_SECONDS / SECONDS_BETWEEN) * SECONDS_BETWEEN;
      const categories = CATEGORIES[turn % CATEGORIES.length] ?? '';
      return { categories, from: stampOf(from), to: stampOf(from + WINDOW_SECONDS) };
    },
    check: (total) => requireTotal(total > 0, total),
  },
  {
    name: 'newest page of the later half',
    ask: (turn, size) => ({
      from: stampOf(Math.floor(size / 2 + turn) * SECONDS_BETWEEN),
      to: stampOf(size * SECONDS_BETWEEN),
    }),
    check: (total) => requireTotal(total > 0, total),
  },
  { name: 'newest page, no filter', ask: (turn) => ({ limit: String(PAGE - (turn % 7)) }) },
];

/** Spread over the whole trail, neither its beginning nor its end preferred. */
const entryAt = (turn: number, size: number) => 1 + ((turn * 7_919_317) % Math.max(1, Math.floor(size * 0.98)));

function requireTotal(isRight: boolean, total: number): void {
  if (!isRight) throw new Error(`a search found ${total} entries`);
}

interface Trail {
  readonly size: number;
  readonly folders: { readonly folder: string; readonly database?: string };
  readonly filled: AuditFill;
}

interface Asked {
  readonly server: ServerProcess;
  readonly size: number;
}

interface Making {
  readonly folder: WorkFolder;
  readonly size: number;
  readonly databases: Databases | undefined;
}

async function makeTrail({ folder, size, databases }: Making, say: Effort['say']): Promise<Trail> {
  const name = `of_${size}`;
  const database = await databases?.create(name);
  const folders = { folder: folder.at(name), ...(database ? { database } : {}) };
  const fill = { ...folders, masterKey: MASTER_KEY, entries: size };
  const filled = await fillTrail(fill, (done) => say(`${done} of ${size} entries`));
  return { size, folders, filled };
}

async function askInTurn(question: Question, asked: readonly Asked[], { isQuick, say }: Effort): Promise<Row[]> {
  const [warmUps, turns] = isQuick ? [2, 10] : [5, 60];
  const times = asked.map((): number[] => []);
  for (let turn = 0; turn < warmUps + turns; turn += 1) {
    say(`${question.name}, ${turn + 1} of ${warmUps + turns}`);
    for (const [index, { server, size }] of asked.entries()) {
      const milliseconds = await askOnce(server, question, question.ask(turn, size));
      if (turn >= warmUps) times[index]?.push(milliseconds);
    }
  }
  const row = (what: string, share: number, aim?: Row['aim']): Row => ({
    what: `${question.name}: ${what}`,
    value: percentile(times[1] ?? [], share),
    unit: 'ms',
    yardstick: percentile(times[0] ?? [], share),
    ...(aim ? { aim } : {}),
  });
  return [row('p50', 0.5, WITHIN_50_MS), row('growth of p50', 0.5, NO_MORE_THAN_DOUBLE), row('p95', 0.95)];
}

async function askOnce({ port }: ServerProcess, { check }: Question, params: Readonly<Record<string, string>>) {
  const query = new URLSearchParams({ limit: String(PAGE), ...params });
  const begun = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}/api/core/audit-logs?${query}`, {
    headers: { authorization: `Bearer ${MASTER_KEY}` },
  });
  const text = await answer.text();
  const milliseconds = performance.now() - begun;
  if (!answer.ok) throw new Error(`${answer.status} for ${query}: ${text}`);
  check?.((JSON.parse(text) as { total: number }).total);
  return milliseconds;
}

function fillRows(short: Trail, long: Trail): Row[] {
  const row = (what: string, unit: Row['unit'], of: (filled: AuditFill) => number): Row => ({
    what,
    value: of(long.filled),
    unit,
    yardstick: of(short.filled),
  });
  return [
    row('filling', 's', ({ seconds }) => seconds),
    row('entries written', '/s', ({ entries, seconds }) => entries / seconds),
    row('database', 'MB', ({ databaseBytes }) => databaseBytes / 1e6),
    row('witness', 'MB', ({ witnessBytes }) => witnessBytes / 1e6),
    row('text index', 's', ({ indexSeconds }) => indexSeconds),
    row('text index', 'MB', ({ indexBytes }) => indexBytes / 1e6),
  ];
}
