// What is uploaded for an encrypted table is not to be read from anything the service writes either: not while it is on
// its way, not while it is imported, not after a kill in between.

import { once } from 'node:events';
import { expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { rowsOf } from '#test/support/logs.ts';
import { makeHome, type VigilProcess } from '#test/support/process.ts';
import { found } from '#test/support/secrecy.ts';
import { MASTER_KEY, type Service, send } from '#test/support/service.ts';
import { append, complete, offsetOf, opened } from '#test/support/uploads.ts';

const VALUE = 'xyzzy-value-of-a-card';
const FIELD = 'plugh_name_of_a_field';
const LINES = 20_000;

it('Nothing that is uploaded for an encrypted table can be read from what the service writes', async () => {
  using home = makeHome();
  const processes: VigilProcess[] = [];
  let service: Pick<Service, 'call'> = { call: () => Promise.reject(new Error('not started')) };
  const start = async () => {
    const started = home.serve({ VIGIL_MASTER_KEY: MASTER_KEY });
    processes.push(started);
    const url = await started.ready();
    service = { call: (method, path, options) => send(`${url}${path}`, method, options) };
  };
  const kill = async () => {
    const running = processes.at(-1);
    running?.child.kill('SIGKILL');
    if (running) await once(running.child, 'close');
  };
  const search = () => found(home, processes, [VALUE, FIELD, 'PAR1']);

  await start();
  const profile = await created(service, '/api/core/crypto-profiles', { name: 'cards' });
  const table = { table: 'cards', crypto_profile_guid: profile, encryption: 'true' };
  expect((await service.call('POST', '/api/core/tables', { form: table })).status).toBe(200);
  const lines = Array.from({ length: LINES }, (_, n) => JSON.stringify({ n, [FIELD]: `${VALUE} ${n}` }));
  const body = Buffer.from([...lines, `not json ${VALUE}`].join('\n'));
  const token = await opened(service, { file_size: body.length, metadata: { table: 'cards' } });
  const half = Math.floor(body.length / 2);
  expect((await append(service, token, { offset: 0, body: body.subarray(0, half) })).status).toBe(204);
  expect(search(), 'half of it sent').toEqual([]);
  await kill();
  expect(search(), 'half of it sent, after a kill').toEqual([]);

  await start();
  expect(await offsetOf(service, token)).toBe(half);
  expect((await append(service, token, { offset: half, body: body.subarray(half) })).status).toBe(204);
  expect(search(), 'all of it sent').toEqual([]);
  const completing = complete(service, token).catch((error) => error);
  for (let turn = 0; turn < 10; turn += 1) expect(search(), 'while it is imported').toEqual([]);
  await kill();
  await completing;
  expect(search(), 'after a kill around the import').toEqual([]);

  await start();
  expect((await complete(service, token)).json).toMatchObject({ accepted: LINES, rejected_count: 1 });
  expect(search(), 'imported').toEqual([]);
  const rows = await rowsOf(service, 'table order=asc cards');
  expect(rows.map(({ n }) => n).sort((a, b) => a - b)).toEqual(lines.map((_, n) => n));
  expect(search(), 'read').toEqual([]);
  await kill();
  expect(search(), 'after the last kill').toEqual([]);
});
