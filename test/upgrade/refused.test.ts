// What must not be read in an installation of an earlier version: damaged files, a changed audit trail, and encrypted tables
// without their keys. It shows that the suite over the same fixtures cannot pass by accident.

import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { outcome, refused } from '#test/support/suites.ts';
import { compareAnswers, copyFixture, onEachFixture, openFixture, verifyAudit } from './opened-fixture.ts';

const TEN_YEARS = { hours: 10 * 365 * 24 };
const illegal = (message: string) => refused(500, 'illegal-state', message);
const query = (text: string) => `/api/core/query?q=${encodeURIComponent(text)}`;

onEachFixture('A copy of an installation', (fixture) => {
  it.each(['authenticated_row_snappy', 'encrypted_columnar_deflate'])(
    'with one bit flipped in a segment of %s is found to be damaged, and its other tables answer',
    async (table) => {
      const copy = await copyFixture(fixture);
      const [segment = ''] = globSync(`${table}.*/2024-*/*.parquet`, { cwd: join(copy.data, 'tables') });
      flipBit(join(copy.data, 'tables', segment));
      await using opened = await openFixture(copy);
      const [, ...file] = segment.split('/');
      expect(outcome(await opened.service.call('GET', query(`table ${table}`)))).toEqual(
        illegal(`table is damaged: ${table} [file: ${file.join('/')}]`),
      );
      expect(opened.log.errors.map(({ message }) => message)).toEqual(['a file of a table is damaged']);
      expect((await opened.service.call('GET', query('table busy | stats count'))).status).toBe(200);
    },
  );

  it('with a changed audit entry is not proven', async () => {
    using copy = await copyFixture(fixture);
    expect(await verifyAudit(copy)).toMatchObject({ exitCode: 0, verdict: { head: copy.manifest.audit_head } });
    await copy.sql("update audit_entries set user_name = 'nobody' where id = 7");
    expect(await verifyAudit(copy)).toMatchObject({
      exitCode: 1,
      verdict: { ok: false, kind: 'edited', first_bad_id: 7 },
    });
  });

  it('does not start without its master secret', async () => {
    using copy = await copyFixture(fixture);
    rmSync(join(copy.keys, 'master-secret'));
    await expect(openFixture(copy)).rejects.toMatchObject({ code: 'master-secret-foreign' });
  });

  it('whose database does not know the missing master secret keeps its encrypted tables closed', async () => {
    const copy = await copyFixture(fixture);
    rmSync(join(copy.keys, 'master-secret'));
    await copy.sql("delete from installation where key = 'master-secret'");
    await using opened = await openFixture(copy);
    for (const { name, protection } of copy.manifest.tables) {
      const answer = await opened.service.call('GET', query(`table ${name} | limit 1 | fields _time`));
      if (protection === 'plain') expect(answer.status).toBe(200);
      else expect(outcome(answer)).toEqual(illegal(`table is closed: ${name}`));
    }
  });

  it('answers every query ten years later too', async () => {
    const copy = await copyFixture(fixture);
    const at = Temporal.Instant.from(copy.manifest.written_at).add(TEN_YEARS).toString();
    await using opened = await openFixture(copy, { at });
    await compareAnswers(opened);
  });
});

function flipBit(path: string): void {
  const bytes = readFileSync(path);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}
