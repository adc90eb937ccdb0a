// How long files that are gone are remembered.

import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { lines } from '#test/support/collected-logs.ts';
import { createCollector } from '#test/support/collectors.ts';
import { inStore } from '#test/support/stopped-store.ts';
import { onEachDatabase } from '#test/support/suites.ts';

const root = mkdtempSync(join(tmpdir(), 'vigil-gone-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

onEachDatabase(
  'A file that was removed',
  (subject) => {
    it('is forgotten a day after it was missed, also if that was while the service was stopped', async () => {
      const folder = join(root, `gone-${subject.database}`);
      mkdirSync(folder);
      for (const name of ['a.log', 'b.log']) writeFileSync(join(folder, name), `${name}\n`);
      const guid = await createCollector(subject, {
        table: 'gone',
        factory: 'file',
        configs: { path: folder, from: 'start' },
      });
      expect(await lines(subject, 'gone', 2)).toEqual(['a.log', 'b.log']);
      const names = async () => {
        await subject.service.stop();
        const rows = await inStore(subject, (db) =>
          db.selectFrom('collected_files').select('path').where('logger_guid', '=', guid).execute(),
        );
        return rows.map(({ path }) => basename(path));
      };
      expect(await names()).toEqual(['a.log', 'b.log']);
      rmSync(join(folder, 'a.log'));
      await subject.service.restart();
      await lines(subject, 'gone', 2);
      expect(await names()).toEqual(['a.log', 'b.log']);
      await subject.service.restart();
      await lines(subject, 'gone', 2);
      subject.clock.leap({ hours: 25 });
      appendFileSync(join(folder, 'b.log'), 'more\n');
      await lines(subject, 'gone', 3);
      expect(await names()).toEqual(['b.log']);
      await subject.service.restart();
    });
  },
  { flags: { 'collect-folders': root } },
);
