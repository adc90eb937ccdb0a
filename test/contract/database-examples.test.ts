// The examples of the language with databases, on real servers: rows, counts, and what the databases hold afterwards.

import { beforeAll, describe, expect, it } from 'vitest';
import { queryExamples } from '#query/examples/index.ts';
import type { ExampleRow } from '#query/model/example.ts';
import { created } from '#test/support/accounts.ts';
import { createLogger, push } from '#test/support/logs.ts';
import { databasesFor, KINDS, profileOf } from '#test/support/outside-databases.ts';
import { ran, rowsFrom, TIMEOUT } from '#test/support/queries.ts';
import { serviceFor } from '#test/support/suites.ts';

const EXAMPLES = queryExamples().filter(({ databases }) => databases !== undefined);

describe.each(KINDS)('Examples on a database of the kind %s', (kind) => {
  const subject = serviceFor({ flags: { 'database-hosts': '127.0.0.1' } });
  const databaseOf = databasesFor();
  const run = (...statements: string[]) => databaseOf(kind).run(...statements);

  beforeAll(async () => {
    await created(subject, '/api/core/connection-profiles', {
      name: 'crm',
      ...profileOf(databaseOf(kind)),
      writable: 'true',
    });
  }, 120_000);

  it.each(EXAMPLES.map((example) => [example.query, example] as const))('%s', TIMEOUT, async (query, example) => {
    for (const [name, rows] of Object.entries(example.databases?.crm ?? {})) {
      await run(`drop table if exists ${name}`, ...tableSql(name, rows));
    }
    for (const [table, rows] of Object.entries(example.tables ?? {})) {
      await subject.call('DELETE', `/api/core/tables/${table}`);
      const logger = await createLogger(subject, { table });
      await push(subject, logger, { body: rows.map((row) => JSON.stringify(row)).join('\n') });
    }
    const status = await ran(subject, query);
    expect(status.error_detail).toBeUndefined();
    const { json } = await rowsFrom(subject, status.id, 'limit=1000');
    const shown = json.result.map(({ _table, _time, _id, ...row }: ExampleRow) => withoutNulls(row));
    expect(shown).toEqual((example.gives ?? []).map(withoutNulls));
    const counts = status.commands.map(({ push_count }: { push_count: number }) => push_count);
    if (example.pushes) expect(counts).toEqual(example.pushes);
    for (const [name, rows] of Object.entries(example.holds?.crm ?? {})) {
      expect(await run(`select * from ${name} order by 1`)).toEqual(rows);
    }
  });
});

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
