// A disk without room, seen through each protocol. A limit on the size of files stands for it, which the service takes for the same.

import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { SENDER_NAMES } from '#senders/names.ts';
import { rowsOf } from '#test/support/logs.ts';
import { send } from '#test/support/service.ts';
import { killableService } from './killable-service.ts';
import type { SenderMaker, SentRecord } from './maker.ts';
import { makers } from './makers.ts';

/** Room for a few short records, and a line for which there is none. */
const FILE_BYTES = 64 * 1024;
const LARGE_LINE = 'x'.repeat(2 * FILE_BYTES);

it('Each protocol says that a record should come again while the disk is full, stores nothing of it, and goes on with room', async () => {
  const service = await killableService({ VIGIL_SENDERS: SENDER_NAMES.join(',') });
  const first = await service.start();
  for (const table of ['main', 'other']) await first.call('POST', '/api/core/tables', { form: { table } });
  const limitFiles = (bytes: string) =>
    void execFileSync('prlimit', ['--pid', String(service.pid), `--fsize=${bytes}:unlimited`]);
  const sent = async (maker: SenderMaker, ...records: readonly SentRecord[]) => {
    const { path, headers, body } = maker.request(records);
    return maker.read(await send(`${service.url}${path}`, 'POST', { headers, body }));
  };
  const expected: string[] = [];

  for (const maker of makers) {
    const line = (phase: string) => `${maker.protocol} ${phase}`;
    const main = { table: 'main' };
    const full = { table: 'other', line: LARGE_LINE };
    expect(await sent(maker, { ...main, line: line('before') })).toEqual(maker.says.taken(1));
    limitFiles(String(FILE_BYTES));
    expect(await sent(maker, { ...main, line: LARGE_LINE })).toEqual(maker.says.noSpace);
    expect(await sent(maker, { ...main, line: line('partly') }, full)).toEqual(maker.says.laterFails);
    limitFiles('unlimited');
    expect(await sent(maker, { ...main, line: line('after') })).toEqual(maker.says.taken(1));
    expected.push(...['before', 'partly', 'after'].map(line));
  }

  await service.kill();
  const restarted = await service.start();
  expect((await rowsOf(restarted, 'table order=asc main')).map((row) => row.line)).toEqual(expected);
  expect(await rowsOf(restarted, 'table other')).toEqual([]);
});
