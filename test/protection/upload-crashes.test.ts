// Kills the service at random moments while files for tables under key come in and are imported. Nothing that was
// acknowledged is lost, every file is in its table once, and nothing of an encrypted one can be read from the disk.

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { rowsOf } from '#test/support/logs.ts';
import { type Home, makeHome, type VigilProcess } from '#test/support/process.ts';
import { found } from '#test/support/secrecy.ts';
import { MASTER_KEY, type Service, send } from '#test/support/service.ts';
import { append, complete, openByTus, opened, probe } from '#test/support/uploads.ts';

const ROUNDS = Number(process.env.VIGIL_CRASH_ROUNDS ?? 3);
const VALUE = 'xyzzy-value-of-a-card';
const LINES = 12_000;

type Caller = Pick<Service, 'call'>;

interface File {
  readonly table: string;
  readonly name: string;
  readonly format: string;
  readonly bytes: Buffer;
  readonly isTus: boolean;
  token: string;
  acknowledged: number;
}

const text = Array.from({ length: LINES }, (_, n) => `${VALUE} ${n} ${n % 7 === 0 ? '' : 'odd'}\n`).join('');
const ndjson = Array.from({ length: LINES }, (_, n) => `{"n":${n % 5 === 0 ? `"${VALUE}"` : n},"v":"${VALUE} ${n}"}\n`);
const csv = `n,v\n${Array.from({ length: LINES }, (_, n) => `${n},"${VALUE} ""${n}"""\n`).join('')}${VALUE}\n`;

/** Each with the storage of its table. */
const KINDS = [
  ['sealed', { encryption: 'true' }],
  ['checked', {}],
] as const;

it('Uploads into tables under key come through kills, once and unread', async () => {
  using home = makeHome();
  const processes: VigilProcess[] = [];
  let files: File[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const service = await start(home, processes);
    if (files.length === 0) files = await filesOf(service);
    const working = Promise.allSettled(files.map((file) => drive(service, file)));
    await sleep(150 + Math.random() * 900);
    await kill(processes);
    await working;
    expectHidden(home, processes, `after kill ${round}`);
  }
  const service = await start(home, processes);
  for (const file of files) {
    await drive(service, file);
    const [{ count }] = await rowsOf(service, `table ${file.table} | stats count`);
    expect(count, file.table).toBe(LINES);
    const rows = await rowsOf(service, `table ${file.table}`);
    expect(new Set(rows.map(({ v, line }) => v ?? line)).size, file.table).toBe(LINES);
  }
  expectHidden(home, processes, 'in the end');
  await kill(processes);
});

async function start(home: Home, processes: VigilProcess[]): Promise<Caller> {
  const started = home.serve({ VIGIL_MASTER_KEY: MASTER_KEY });
  processes.push(started);
  const url = await started.ready();
  return { call: (method, path, options) => send(`${url}${path}`, method, options) };
}

async function kill(processes: readonly VigilProcess[]): Promise<void> {
  const running = processes.at(-1);
  running?.child.kill('SIGKILL');
  if (running) await once(running.child, 'close');
}

/** What is only checked is in clear, in its segments; nothing of the others is, nor of any part. */
function expectHidden(home: Home, processes: readonly VigilProcess[], stage: string): void {
  const files = found(home, processes, [VALUE, 'PAR1']).filter((file) => !file.includes('/tables/checked'));
  expect(files, stage).toEqual([]);
}

async function filesOf(service: Caller): Promise<File[]> {
  const profile = await created(service, '/api/core/crypto-profiles', { name: 'cards', algorithm: 'aes-128-gcm' });
  const files: File[] = [];
  for (const [kind, storage] of KINDS) {
    for (const [format, body] of [
      ['ndjson', ndjson.join('')],
      ['csv', csv],
      ['text', text],
    ] as const) {
      const table = `${kind}_${format}`;
      const form = { table, crypto_profile_guid: profile, ...storage };
      expect((await service.call('POST', '/api/core/tables', { form })).status).toBe(200);
      const isFolded = format === 'text';
      const bytes = isFolded ? gzipSync(body, { level: 0 }) : Buffer.from(body);
      const isTus = format === 'csv';
      files.push({ table, name: isFolded ? 'f.gz' : 'f', format, bytes, isTus, token: '', acknowledged: 0 });
    }
  }
  for (const file of files) file.token = await tokenFor(service, file);
  return files;
}

async function tokenFor(service: Caller, { table, name, format, bytes, isTus }: File): Promise<string> {
  if (isTus) return (await openByTus(service, bytes.length, { filename: name, table, format })).json.token;
  return await opened(service, { file_name: name, file_size: bytes.length, metadata: { table, format } });
}

/** Goes on where the service says it is, to the end. */
async function drive(service: Caller, file: File): Promise<void> {
  const { status, headers } = await probe(service, file.token);
  expect(status, file.table).toBe(200);
  const offset = Number(headers.get('upload-offset'));
  expect(offset, `${file.table} has lost bytes`).toBeGreaterThanOrEqual(file.acknowledged);
  for (let at = offset; at < file.bytes.length; ) {
    const piece = file.bytes.subarray(at, at + 1 + Math.floor(Math.random() * 60_000));
    const answer = await append(service, file.token, { offset: at, body: piece });
    expect([answer.status, answer.text]).toEqual([204, '']);
    at += piece.length;
    file.acknowledged = at;
  }
  const { json } = await complete(service, file.token);
  expect(json).toMatchObject({ accepted: LINES, rejected_count: file.format === 'csv' ? 1 : 0 });
}
