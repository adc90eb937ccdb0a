// Datasets of a database from before authors were kept get theirs from the audit trail.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import type { Driver, Transaction } from '#store/connection.ts';
import { migrate } from '#store/migrate.ts';
import { openPostgres } from '#store/postgres/postgres.ts';
import { openSqlite } from '#store/sqlite/sqlite.ts';
import { createDatabase } from '#test/support/databases.ts';
import { databases } from '#test/support/service.ts';
import { migrations } from './index.ts';

const LONG = 'table web | search a == "'.padEnd(1999, 'x');

for (const { name, skip } of databases) {
  describe.skipIf(skip)(`The author of a dataset from before, on ${name}`, () => {
    let folder: string;
    let driver: Driver;
    let transaction: Transaction;
    let entries = 0;
    const before = migrations.findIndex((migration) => migration.name === 'dataset authors');

    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'vigil-authors-'));
      const database = () => createDatabase(`m_${newGuid().replaceAll('-', '')}`);
      driver = name === 'sqlite' ? openSqlite(folder) : await openPostgres(await database());
      await migrate(driver, before);
      // As a migration: what writers leave in later versions is not there yet.
      transaction = await driver.begin('migration');
      entries = 0;
    });
    afterEach(async () => {
      await driver.close();
      rmSync(folder, { recursive: true, force: true });
    });

    const dataset = (guid: string, query: string) =>
      transaction.connection.insertMany(
        'datasets',
        ['guid', 'name', 'query', 'owner_guid', 'search', 'created_at', 'updated_at'],
        [[guid, guid, query, 'owner', '', 1, 1]],
      );
    const update = (user: string, params: object, error: string | null = null, method = 'update') => {
      entries += 1;
      return transaction.connection.insertMany(
        'audit_entries',
        ['id', 'user_guid', 'user_name', 'remote_ip', 'module', 'method', 'params', 'error', 'created_at', 'hash'],
        [[entries, user, user, '::1', 'datasets', method, JSON.stringify(params), error, entries, '']],
      );
    };

    it('is the first of the last to have written its text, otherwise the owner', async () => {
      for (const guid of ['untouched', 'renamed', 'changed', 'back', 'failed', 'made']) await dataset(guid, 'new');
      await dataset('long', `${LONG}ABC`);
      await dataset('long-other', `${LONG}ABC`);
      // Renamed by others after its text was written.
      await update('writer', { guid: 'RENAMED', query: 'new' });
      await update('admin', { guid: 'renamed', query: 'new' });
      await update('first', { guid: 'changed', query: 'old' });
      await update('second', { guid: 'changed', query: 'new' });
      await update('third', { guid: 'changed', query: 'new' });
      // Written, replaced, and written again by somebody else.
      await update('early', { guid: 'back', query: 'new' });
      await update('middle', { guid: 'back', query: 'old' });
      await update('late', { guid: 'back', query: 'new' });
      await update('refused', { guid: 'failed', query: 'new' }, 'no-permission');
      await update('maker', { guid: 'made', query: 'new' }, null, 'create');
      await update('cut', { guid: 'long', query: `${LONG}A` });
      await update('other', { guid: 'long-other', query: `${LONG}Z` });
      for (let count = 0; count < 1100; count += 1) await update('noise', { guid: 'nobody', query: 'new' });
      await transaction.commit();
      await migrate(driver);
      const rows = await driver.reader.all('select guid, query_user_guid from datasets');
      expect(Object.fromEntries(rows.map(({ guid, query_user_guid }) => [guid, query_user_guid]))).toEqual({
        untouched: 'owner',
        renamed: 'writer',
        changed: 'second',
        back: 'late',
        failed: 'owner',
        made: 'owner',
        long: 'cut',
        'long-other': 'owner',
      });
    });
  });
}
