// How long listing tables takes, and how that grows from a hundred tables to ten thousand.

import { createAccount, created } from '#test/support/accounts.ts';
import type { Bench, Effort, Row } from './support/bench.ts';
import { callConcurrently } from './support/concurrent-calls.ts';
import { percentile } from './support/numbers.ts';
import { launch, vigil } from './support/server-process.ts';
import { type Service, serviceOf } from './support/service-calls.ts';
import { type WorkFolder, workFolder } from './support/work-folder.ts';

/** As many as half of the smallest list has, so that every page is a full one. */
const PAGE = 25;
/** Tables whose names hold the same word: a keyword finds as many among few tables as among many. */
const TABLES_PER_WORD = 10;

export const tableList: Bench = {
  name: 'table-list',
  question:
    'How long does Get Tables take over 10,000 tables, for an ADMIN and for a MEMBER with grants on half of them?',
  yardstick: 'the same over 100 tables',
  aim: 'none, told only',

  async run(effort) {
    using folder = workFolder();
    await using running = new AsyncDisposableStack();
    const subjects: Subject[] = [];
    for (const tables of effort.isQuick ? [100, 1000] : [100, 10_000]) {
      subjects.push(await startSubject({ folder, running, tables }, effort.say));
    }
    const rows: Row[] = [];
    for (const caller of ['ADMIN', 'MEMBER'] as const) {
      for (const question of questions) rows.push(...(await askInTurn({ caller, question, subjects }, effort)));
    }
    return { rows, notes: NOTES };
  },
};

const NOTES = [
  'GET /api/core/tables of `vigil serve`, one service over each number of tables, asked in turn; value is many tables, yardstick 100, ratio the growth. The tables were made through the interface and are empty.',
  `A page has ${PAGE} tables, "all" is a call without \`limit\`, whose initial value has no bound, so its answer is a hundred times as long. A keyword finds ${TABLES_PER_WORD} tables, half of them granted to the MEMBER.`,
  'The MEMBER may read every second table, by turns through a grant of its own and one of its group. Every answer is checked: the total, the number of tables and the first name.',
];

type CallerName = 'ADMIN' | 'MEMBER';

interface Subject {
  readonly service: Service;
  readonly tables: number;
  readonly keys: Readonly<Record<CallerName, string>>;
}

/** What is asked of so many visible tables, the numbers of which are a `stride` apart. */
interface Question {
  readonly name: string;
  ask(turn: number, seen: Seen): Expected;
}

interface Seen {
  readonly total: number;
  readonly stride: number;
}

interface Expected {
  readonly query: Readonly<Record<string, string>>;
  readonly total: number;
  readonly length: number;
  /** The number of the first table. */
  readonly first: number;
}

const questions: readonly Question[] = [
  {
    name: 'first page',
    ask: (_, { total }) => ({ query: { limit: String(PAGE) }, total, length: PAGE, first: 0 }),
  },
  {
    name: 'a page in the middle',
    ask(_, { total, stride }) {
      const offset = total / 2;
      const query = { offset: String(offset), limit: String(PAGE) };
      return { query, total, length: PAGE, first: offset * stride };
    },
  },
  { name: 'all', ask: (_, { total }) => ({ query: {}, total, length: total, first: 0 }) },
  {
    name: 'keyword',
    ask(turn, { total, stride }) {
      const words = (total * stride) / TABLES_PER_WORD;
      const word = (turn * 7919) % words;
      const found = TABLES_PER_WORD / stride;
      return { query: { keywords: wordOf(word) }, total: found, length: found, first: word * TABLES_PER_WORD };
    },
  },
];

const padded = (number: number) => String(number).padStart(5, '0');
const wordOf = (word: number): string => `site${padded(word)}`;
/** In the order of numbers. */
const nameOf = (number: number): string => `${wordOf(Math.floor(number / TABLES_PER_WORD))}_${padded(number)}`;

interface Making {
  readonly folder: WorkFolder;
  readonly running: AsyncDisposableStack;
  readonly tables: number;
}

async function startSubject({ folder, running, tables }: Making, say: Effort['say']): Promise<Subject> {
  const server = running.use(await launch(vigil({ folder: folder.at(`of-${tables}`) })));
  await server.ready('/readyz');
  const service = serviceOf(server);
  const admin = await createAccount(service, 'ADMIN', { login: 'admin' });
  const member = await createAccount(service, 'MEMBER', { login: 'member' });
  const group = await created(service, '/api/core/user-groups', { name: 'readers', user_guids: member.guid });
  let made = 0;
  await callConcurrently(tables, async (number) => {
    await service.call('POST', '/api/core/tables', { form: { table: nameOf(number) } });
    if (number % 2 === 0) {
      const shared =
        number % 4 === 0 ? { shared_users: [{ guid: member.guid }] } : { shared_groups: [{ guid: group }] };
      await service.call('PUT', `/api/core/tables/${nameOf(number)}`, { json: shared });
    }
    made += 1;
    say(`${made} of ${tables} tables`);
  });
  return { service, tables, keys: { ADMIN: admin.key, MEMBER: member.key } };
}

interface Asking {
  readonly caller: CallerName;
  readonly question: Question;
  readonly subjects: readonly Subject[];
}

async function askInTurn({ caller, question, subjects }: Asking, { isQuick, say }: Effort): Promise<Row[]> {
  const [warmUps, turns] = isQuick ? [2, 10] : [5, 50];
  const times = subjects.map((): number[] => []);
  for (let turn = 0; turn < warmUps + turns; turn += 1) {
    say(`${caller}, ${question.name}, ${turn + 1} of ${warmUps + turns}`);
    for (const [index, subject] of subjects.entries()) {
      const stride = caller === 'ADMIN' ? 1 : 2;
      const expected = question.ask(turn, { total: subject.tables / stride, stride });
      const milliseconds = await askOnce(subject, subject.keys[caller], expected);
      if (turn >= warmUps) times[index]?.push(milliseconds);
    }
  }
  return [0.5, 0.95].map((share) => ({
    what: `${caller}, ${question.name}: p${share * 100}`,
    value: percentile(times[1] ?? [], share),
    unit: 'ms',
    yardstick: percentile(times[0] ?? [], share),
  }));
}

async function askOnce({ service }: Subject, key: string, expected: Expected): Promise<number> {
  const begun = performance.now();
  const { json } = await service.call('GET', `/api/core/tables?${new URLSearchParams(expected.query)}`, { key });
  const milliseconds = performance.now() - begun;
  const found = [json.total_count, json.tables.length, json.tables[0].table_name].join();
  const right = [expected.total, expected.length, nameOf(expected.first)].join();
  if (found !== right) throw new Error(`${JSON.stringify(expected.query)} gave ${found} instead of ${right}`);
  return milliseconds;
}
