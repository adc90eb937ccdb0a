// A damaged file, as whoever calls the service and whoever reads its log gets to know of it.

import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { CapturedLog } from '#test/support/captured-log.ts';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

const PROFILE = 'cccccccc-0000-4000-8000-00000000000c';

const SUBJECTS = [
  { table: 'plain', storage: {} },
  { table: 'checked', storage: { crypto_profile_guid: PROFILE } },
  { table: 'sealed', storage: { crypto_profile_guid: PROFILE, encryption: 'true' } },
];

describe('A damaged file', () => {
  const log = new CapturedLog();
  const lines = log.errors;
  const subject = serviceFor({ log });
  const { call, clock } = subject;
  const loggers = new Map<string, string>();
  const query = (table: string) => call('GET', `/api/core/query?q=${encodeURIComponent(`table ${table}`)}`);
  const filesOf = (table: string, pattern: string) =>
    globSync(`${table}.*/${pattern}`, { cwd: join(subject.service.config.data, 'tables') }).map((file) =>
      join(subject.service.config.data, 'tables', file),
    );

  function flip(path: string): void {
    const bytes = readFileSync(path);
    const middle = Math.floor(bytes.length / 2);
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    writeFileSync(path, bytes);
  }

  it('is told apart from a torn end, for every kind of table: a journal', async () => {
    await created(subject, '/api/core/crypto-profiles', { guid: PROFILE, name: 'p' });
    for (const { table, storage } of SUBJECTS) {
      const logger = await createLogger(subject, { table, storage });
      loggers.set(table, logger);
      for (const n of [1, 2, 3]) await push(subject, logger, { body: JSON.stringify({ n, text: 'x'.repeat(100) }) });
    }
    await subject.service.stop();
    for (const { table } of SUBJECTS) for (const path of filesOf(table, '*.journal')) flip(path);
    lines.length = 0;
    await subject.service.restart();
    for (const { table } of SUBJECTS) {
      const [path = ''] = filesOf(table, '*.journal');
      expect(lines).toContainEqual({ fields: { table, file: path }, message: 'a file of a table is damaged' });
      const [entry] = await entriesOf(subject, async () => {
        expect(outcome(await query(table))).toEqual(
          refused(500, 'illegal-state', `table is damaged: ${table} [file: 000001.journal]`),
        );
      });
      expect(entry).toMatchObject({ module: 'query', error: `table is damaged: ${table} [file: 000001.journal]` });
      expect((await push(subject, loggers.get(table) ?? '', { body: '{"n":4}' })).json.accepted).toBe(1);
    }
    expect((await call('GET', '/metrics')).text).toContain('vigil_damaged_files_total 3');
  });

  it('is named whenever its table is read, and no other table suffers: a segment', async () => {
    for (const [index, { storage }] of SUBJECTS.entries()) {
      const table = `sealed_${index}`;
      const logger = await createLogger(subject, { table, storage });
      await push(subject, logger, { body: '{"n":1}' });
    }
    clock.advance({ minutes: 6 });
    for (const index of SUBJECTS.keys()) {
      const sealed = async () => {
        clock.advance({ seconds: 10 });
        return filesOf(`sealed_${index}`, '*/*.parquet');
      };
      expect(await until(sealed, (files) => files.length === 1)).toHaveLength(1);
    }
    lines.length = 0;
    for (const index of [1, 2]) {
      const table = `sealed_${index}`;
      const [path = ''] = filesOf(table, '*/*.parquet');
      const file = path.split('/').slice(-2).join('/');
      flip(path);
      const damaged = refused(500, 'illegal-state', `table is damaged: ${table} [file: ${file}]`);
      expect(outcome(await query(table))).toEqual(damaged);
      expect(outcome(await query(table))).toEqual(damaged);
      expect(lines.filter(({ fields }) => fields.file === path)).toHaveLength(1);
    }
    expect(await rowsOf(subject, 'table sealed_0 | stats count')).toEqual([{ count: 1 }]);
  });
});

describe('A profile that was removed and made again under its guid', () => {
  const subject = serviceFor();

  it('has a key of its own: what is written under it is read after a restart', async () => {
    for (const table of ['former', 'later']) {
      await created(subject, '/api/core/crypto-profiles', { guid: PROFILE, name: table });
      const storage = { crypto_profile_guid: PROFILE, encryption: 'true' };
      const logger = await createLogger(subject, { table, storage });
      await push(subject, logger, { body: '{"n":1}' });
      if (table === 'later') break;
      await subject.call('DELETE', '/api/core/loggers', { form: { guids: logger, drop_table: 'true' } });
      const { json } = await subject.call('DELETE', '/api/core/crypto-profiles', { form: { guids: PROFILE } });
      expect(json).toEqual({ failures: [] });
    }
    await subject.service.restart();
    expect(await rowsOf(subject, 'table later | stats count')).toEqual([{ count: 1 }]);
  });
});
