// Nothing of a query's answer is sent before its audit entry is durable: not a row, and not the headers either.

import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { entriesOf } from '#test/support/audit.ts';
import { CURSORS, QUERY } from '#test/support/queries.ts';
import { databases } from '#test/support/service.ts';
import { serviceFor } from '#test/support/suites.ts';

const postgres = databases.find(({ name }) => name === 'postgres');

describe.skipIf(postgres?.skip)('While its entry cannot be written', () => {
  const subject = serviceFor({ database: 'postgres' });

  it.each([
    ['GET', `${QUERY}?q=${encodeURIComponent('json "[{a:1}]"')}`, {}],
    ['POST', CURSORS, { form: { q: 'json "[{a:1}]"' } }],
  ])('%s of a query is not answered', async (method, path, options) => {
    const holder = new pg.Client({ connectionString: subject.service.config.database ?? '' });
    await holder.connect();
    try {
      const entries = await entriesOf(subject, async () => {
        await holder.query('begin; lock table audit_entries in share mode');
        const told = { isAnswered: false };
        const answer = subject.call(method, path, options).then((reply) => {
          told.isAnswered = true;
          return reply;
        });
        const waiting =
          "select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
        await expect.poll(async () => (await holder.query(waiting)).rows[0].n).toBe(1);
        expect(told.isAnswered).toBe(false);
        await holder.query('commit');
        expect((await answer).status).toBe(200);
      });
      expect(entries).toMatchObject([{ params: { q: 'json "[{a:1}]"' } }]);
    } finally {
      await holder.end();
    }
  });
});
