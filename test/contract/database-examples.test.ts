// The examples of the language with databases, on real servers: rows, counts, and what the databases hold afterwards.

import { beforeAll, describe, expect, it } from 'vitest';
import { queryExamples } from '#query/examples/index.ts';
import type { ExampleRow } from '#query/model/example.ts';
import { created } from '#test/support/accounts.ts';
import { createLogger, push } from '#test/support/logs.ts';
import { databaseFor, KINDS, profileOf } from '#test/support/outside-databases.ts';
import { linesOf, ran, rowsFrom } from '#test/support/queries.ts';
import { serviceFor } from '#test/support/suites.ts';

const EXAMPLES = queryExamples().filter(({ databases }) => databases !== undefined);

describe.each(KINDS)('Examples on a database of the kind %s', (kind) => {
  const database = databaseFor(kind);
  const run = (...statements: string[]) => database().run(...statements);

  describe.each(EXAMPLES)('$query', (example) => {
    const subject = serviceFor({ flags: { 'database-hosts': '127.0.0.1' } });
    beforeAll(async () => {
      await created(subject, '/api/core/connection-profiles', {
        name: 'crm',
        ...profileOf(database()),
        writable: 'true',
      });
    });

    it('runs as it is written', async () => {
      for (const [name, rows] of Object.entries(example.databases?.crm ?? {})) {
        await run(`drop table if exists ${name}`, ...tableSql(name, rows));
      }
      for (const [table, rows] of Object.entries(example.tables ?? {})) {
        const logger = await createLogger(subject, { table });
        await push(subject, logger, { body: rows.map((row) => JSON.stringify(row)).join('\n') });
      }
      const status = await ran(subject, example.query);
      expect(status.error_detail).toBeUndefined();
      const lines = linesOf(await rowsFrom(subject, status.id, 'limit=1000'));
      const shown = lines.map(({ _table, _time, _id, ...row }) => withoutNulls(row));
      // Stored rows come newest first, which an example leaves open.
      expect(inOrder(shown)).toEqual(inOrder((example.gives ?? []).map(withoutNulls)));
      const counts = status.commands.map(({ push_count }: { push_count: number }) => push_count);
      if (example.pushes) expect(counts).toEqual(example.pushes);
      for (const [name, rows] of Object.entries(example.holds?.crm ?? {})) {
        expect(await run(`select * from ${name} order by 1`)).toEqual(rows);
      }
    });
  });
});

const inOrder = (rows: readonly object[]) =>
  rows.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));

const withoutNulls = (row: object): object =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));

/** The first column of a table is its key. */
function tableSql(name: string, rows: readonly ExampleRow[]): string[] {
  const [first = {}] = rows;
  const columns = Object.entries(first).map(
    ([column, value], index) =>
      `${column} ${typeof value === 'number' ? 'int' : 'varchar(100)'}${index === 0 ? ' primary key' : ''}`,
  );
  const literal = (value: unknown) => (typeof value === 'number' ? String(value) : `'${value}'`);
  return [
    `create table ${name} (${columns.join(', ')})`,
    ...rows.map((row) => `insert into ${name} values (${Object.values(row).map(literal).join(', ')})`),
  ];
}
