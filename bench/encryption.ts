// What reading costs when a table is encrypted: the same queries over the same records in two tables of one service.

import { isDeepStrictEqual } from 'node:util';
import { created } from '#test/support/accounts.ts';
import { rowsOf } from '#test/support/logs.ts';
import { opened, STREAMS } from '#test/support/uploads.ts';
import type { Bench, Effort, Row } from './support/bench.ts';
import type { LogCorpus } from './support/log-corpus.ts';
import { percentile } from './support/numbers.ts';
import { sendFile } from './support/send-file.ts';
import { launch, type ServerProcess, vigil } from './support/server-process.ts';
import { type Service, serviceOf } from './support/service-calls.ts';
import { timed } from './support/timed.ts';
import { workFolder } from './support/work-folder.ts';

const PLAIN = 'plain';
const ENCRYPTED = 'sealed';
const AIM = { of: 'ratio', is: 'at most', bound: 1.5 } as const;

export const encryption: Bench = {
  name: 'encryption',
  question: 'How long do queries over an encrypted table take?',
  yardstick: 'the same queries over the same records in a table that is not encrypted',
  aim: 'at most 1.5 times as long',

  async run(effort) {
    const corpus = await effort.logs.corpus();
    using folder = workFolder();
    await using server = await launch(vigil({ folder: folder.path }));
    await server.ready('/readyz');
    const service = serviceOf(server);
    const profile = await created(service, '/api/core/crypto-profiles', { name: 'bench' });
    await fill(server, corpus, { table: PLAIN });
    await fill(server, corpus, { table: ENCRYPTED, crypto_profile_guid: profile, encryption: 'true' });
    const rows: Row[] = [];
    for (const question of questionsOver(await endsOf(service))) {
      rows.push(...(await askInTurn(question, service, effort)));
    }
    return { rows, notes: [corpus.about, ...NOTES] };
  },
};

const NOTES = [
  'Both tables were uploaded into one service, columnar, snappy. The questions are asked in turn, and both answers must be the same.',
  '"first" is the first time a question meets these segments: they are decrypted into memory then, and found there afterwards.',
];

async function fill(server: ServerProcess, { file, bytes, records }: LogCorpus, form: Record<string, string>) {
  const service = serviceOf(server);
  await service.call('POST', '/api/core/tables', { form });
  const token = await opened(service, { file_size: bytes, metadata: { table: form.table } });
  await sendFile(server, token, file);
  const { json } = await service.call('POST', `${STREAMS}/${token}/complete`);
  if (json.accepted !== records) throw new Error(`${json.accepted} records accepted of ${records}`);
}

interface Question {
  readonly name: string;
  query(turn: number, table: string): string;
}

/** Seconds since 1970 of the oldest record and of the newest. */
interface Ends {
  readonly first: number;
  readonly last: number;
}

async function endsOf(service: Service): Promise<Ends> {
  const [oldest] = await rowsOf(service, `table order=asc limit=1 ${PLAIN}`);
  const [newest] = await rowsOf(service, `table limit=1 ${PLAIN}`);
  const secondsOf = ({ _time }: { _time: string }) => Math.floor(Date.parse(_time.replace(' ', 'T')) / 1000);
  return { first: secondsOf(oldest), last: secondsOf(newest) };
}

function questionsOver({ first, last }: Ends): Question[] {
  const digits = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19).replaceAll(/\D/g, '');
  const window = (turn: number, share: number) => {
    const length = Math.max(1, Math.floor((last - first) * share));
    const from = first + ((turn * 7_919) % Math.max(1, last - first - length));
    return `from=${digits(from)} to=${digits(from + length)}`;
  };
  return [
    { name: 'last 100 records', query: (_, table) => `table limit=100 ${table}` },
    { name: 'count of a window', query: (turn, table) => `table ${window(turn, 0.05)} ${table} | stats count` },
    { name: '5,000 records of a window', query: (turn, table) => `table ${window(turn, 0.05)} limit=5000 ${table}` },
  ];
}

async function askInTurn(question: Question, service: Service, { isQuick, say }: Effort): Promise<Row[]> {
  const turns = isQuick ? 5 : 30;
  const plain: number[] = [];
  const encrypted: number[] = [];
  for (let turn = 0; turn <= turns; turn += 1) {
    say(`${question.name}, ${turn} of ${turns}`);
    const yardstick = await timed(() => rowsOf(service, question.query(turn, PLAIN)));
    const ours = await timed(() => rowsOf(service, question.query(turn, ENCRYPTED)));
    requireSame(question.name, ours.value, yardstick.value);
    plain.push(yardstick.milliseconds);
    encrypted.push(ours.milliseconds);
  }
  const [firstPlain = 0, ...laterPlain] = plain;
  const [firstEncrypted = 0, ...laterEncrypted] = encrypted;
  return [
    {
      what: `${question.name}: p50`,
      value: percentile(laterEncrypted, 0.5),
      unit: 'ms',
      yardstick: percentile(laterPlain, 0.5),
      aim: AIM,
    },
    {
      what: `${question.name}: p95`,
      value: percentile(laterEncrypted, 0.95),
      unit: 'ms',
      yardstick: percentile(laterPlain, 0.95),
    },
    { what: `${question.name}: first`, value: firstEncrypted, unit: 'ms', yardstick: firstPlain },
  ];
}

/** Ids and the name of the table are each table's own. */
function requireSame(what: string, found: readonly object[], expected: readonly object[]): void {
  const bare = (rows: readonly object[]) => rows.map((row) => ({ ...row, _id: 0, _table: '' }));
  if (!isDeepStrictEqual(bare(found), bare(expected))) throw new Error(`${what}: the two tables answer differently`);
}
