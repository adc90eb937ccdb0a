// A damaged part of an upload, as whoever reads the service log gets to know of it.

import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { CapturedLog } from '#test/support/captured-log.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';
import { append, cancel, complete, opened } from '#test/support/uploads.ts';

const PROFILE = 'cccccccc-0000-4000-8000-00000000000c';
const KEPT = {
  plain: {},
  checked: { crypto_profile_guid: PROFILE },
  sealed: { crypto_profile_guid: PROFILE, encryption: 'true' },
};
const TABLES = Object.keys(KEPT);
const LINE = `{"text":"${'x'.repeat(100)}"}\n`;

describe('A damaged part of an upload', () => {
  const log = new CapturedLog();
  const lines = log.errors;
  const subject = serviceFor({ log });
  const { call } = subject;
  const partOf = (token: string) => join(subject.service.config.data, 'uploads', `${token}.part`);
  const counted = async () =>
    Number(/^vigil_damaged_files_total (\d+)$/m.exec((await call('GET', '/metrics')).text)?.[1]);
  const lineAbout = (table: string, path: string) => ({
    fields: {
      table,
      file: path.replace(/-[0-9a-f-]{27}(?=\.part)/i, '…'),
      error: expect.objectContaining({ message: expect.any(String) }),
    },
    message: 'a file of a table is damaged',
  });

  beforeAll(async () => {
    await created(subject, '/api/core/crypto-profiles', { guid: PROFILE, name: 'p' });
    for (const [table, storage] of Object.entries(KEPT)) {
      expect((await call('POST', '/api/core/tables', { form: { table, ...storage } })).status).toBe(200);
    }
  });
  beforeEach(() => {
    lines.length = 0;
  });

  const HARM: Readonly<Record<string, (path: string) => void>> = {
    'is cut off': (path) => truncateSync(path, 20),
    'is gone': (path) => rmSync(path),
  };

  it.each(TABLES.flatMap((table) => Object.keys(HARM).map((harm) => ({ table, harm }))))(
    'is in the log and counted, once, however often it is needed: one of $table that $harm',
    async ({ table, harm }) => {
      const before = await counted();
      const token = await opened(subject, { file_size: LINE.length, metadata: { table } });
      await append(subject, token, { offset: 0, body: LINE });
      HARM[harm]?.(partOf(token));
      const damaged = refused(500, 'illegal-state', `table is damaged: ${table} [file: ${token}.part]`);
      for (let time = 0; time < 2; time += 1) expect(outcome(await complete(subject, token))).toEqual(damaged);
      expect(lines).toEqual([lineAbout(table, partOf(token))]);
      expect(await counted()).toBe(before + 1);
      await cancel(subject, token);
    },
  );

  it.each(TABLES)('is so when it is gone on with: one of %s', async (table) => {
    const before = await counted();
    const token = await opened(subject, { file_size: 2 * LINE.length, metadata: { table } });
    await append(subject, token, { offset: 0, body: LINE });
    truncateSync(partOf(token), 20);
    const damaged = refused(500, 'illegal-state', `table is damaged: ${table} [file: ${token}.part]`);
    expect(outcome(await append(subject, token, { offset: LINE.length, body: LINE }))).toEqual(damaged);
    expect(lines).toEqual([lineAbout(table, partOf(token))]);
    expect(await counted()).toBe(before + 1);
    await cancel(subject, token);
  });

  it('is so when a start comes upon it, where nobody hears an answer', async () => {
    const token = await opened(subject, { file_size: LINE.length, metadata: { table: 'sealed' } });
    await append(subject, token, { offset: 0, body: LINE });
    await subject.service.stop();
    // As if the service had ended between the last byte of a tus client and the import.
    const database = new DatabaseSync(join(subject.service.config.data, 'metadata.db'));
    database.prepare('update upload_streams set completes_itself = 1 where token = ?').run(token);
    database.close();
    const bytes = readFileSync(partOf(token));
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    writeFileSync(partOf(token), bytes);
    await subject.service.restart();
    const told = await until(
      async () => lines,
      ({ length }) => length > 0,
    );
    expect(told).toEqual([lineAbout('sealed', partOf(token))]);
    expect(await counted()).toBe(1);
    await cancel(subject, token);
  });

  it('is none that goes because its upload is cancelled', async () => {
    const body = Buffer.from(LINE.repeat(20_000));
    for (const table of TABLES) {
      for (let delay = 0; delay < 60; delay += 6) {
        const token = await opened(subject, { file_size: body.length, metadata: { table } });
        await append(subject, token, { offset: 0, body });
        const completing = complete(subject, token);
        await sleep(delay);
        await cancel(subject, token);
        await completing;
      }
    }
    expect(lines).toEqual([]);
  });
});
