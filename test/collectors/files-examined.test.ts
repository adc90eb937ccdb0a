// A crash between the keeping of lines and the writing down that they were examined.

import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { lines, loggerRecord } from '#test/support/collected-logs.ts';
import { createCollector } from '#test/support/collectors.ts';
import { inStore } from '#test/support/stopped-store.ts';
import { onEachDatabase } from '#test/support/suites.ts';

const root = mkdtempSync(join(tmpdir(), 'vigil-examined-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

onEachDatabase(
  'A file whose lines were kept and not examined',
  (subject) => {
    it('is gone on with behind them, once they are', async () => {
      const file = join(root, `${subject.database}.log`);
      writeFileSync(file, '');
      const guid = await createCollector(subject, { table: 'logs', factory: 'file', configs: { path: file } });
      appendFileSync(file, 'one\ntwo\n');
      expect(await lines(subject, 'logs', 2)).toEqual(['one', 'two']);
      await subject.service.stop();
      await inStore(subject, (db) =>
        db.updateTable('collected_files').set({ position: 0 }).where('logger_guid', '=', guid).execute(),
      );
      appendFileSync(file, 'three\n');
      await subject.service.restart();
      expect(await lines(subject, 'logs', 3)).toEqual(['one', 'two', 'three']);
      await expect.poll(() => loggerRecord(subject, guid)).toMatchObject({ log_count: 3 });
      await subject.service.stop();
      const rows = await inStore(subject, (db) => db.selectFrom('collected_files').select('position').execute());
      expect(rows.map(({ position }) => Number(position))).toEqual(['one\ntwo\nthree\n'.length]);
      await subject.service.restart();
    });
  },
  { flags: { 'collect-folders': root } },
);
