// Every command before commands that read nothing of what it makes: a statement leaves out what is not read, and must
// stay whole without it. The fields of the examples hold values of several types, in columns of their own and in the rest
// of their records.

import { describe, expect, it } from 'vitest';
import { commands } from '#query/commands/index.ts';
import type { ExampleRow, QueryExample } from '#query/model/example.ts';
import { runsHere } from '#test/support/example-suite.ts';
import { QueryRunner } from '#test/support/query-runner.ts';

/** Commands that read no column of the rows before them. The first two keep their order. */
const READERS = ['fields unread', 'eval unread = seq() | fields unread', 'stats count as unread'];

/** Commands whose examples need databases, other nodes or archives: suites of their own run them. */
const ELSEWHERE = ['remote', 'dbquery', 'dblookup', 'dboutput', 'zipfile'];

const fieldsOf = ({ tables = {} }: QueryExample): string[] => [
  ...new Set(
    Object.values(tables)
      .flat()
      .flatMap((row) => Object.keys(row)),
  ),
];

const ODD = [{ k: 1, l: [] }, [1, 'b'], 'odd', 2.5, 7, true, null] as const;

/** The tables, each with further records whose fields hold values of any type. */
function mixed(example: QueryExample): QueryExample {
  const further = (fields: readonly string[]): ExampleRow[] =>
    ODD.map((value) => Object.fromEntries(fields.map((field) => [field, value])));
  const tables = Object.entries(example.tables ?? {}).map(([name, rows]) => {
    const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((field) => !field.startsWith('_'));
    return [name, [...rows, ...further(fields)]] as const;
  });
  return { ...example, tables: Object.fromEntries(tables) };
}

const EXAMPLES = commands.flatMap(({ examples }) => examples.filter(runsHere));

describe('A command whose outputs are not read', () => {
  it('has an example here, whichever it is', () => {
    const without = commands.filter(
      ({ name }) => !EXAMPLES.some(({ query }) => new RegExp(`\\b${name}\\b`).test(query)),
    );
    expect(without.map(({ name }) => name)).toEqual(ELSEWHERE);
  });

  it.each(EXAMPLES.map((example) => [example.query, example] as const))(
    'gives as many rows: %s',
    async (query, example) => {
      for (const undeclared of [[], fieldsOf(example)]) {
        await using runner = await QueryRunner.open(mixed(example), undeclared);
        const { rows } = await runner.run(query);
        for (const reader of READERS) {
          const text = `${query} | ${reader}`;
          const found = await runner.run(text).then(
            (result) => result.rows.length,
            (error: unknown) => String(error),
          );
          expect({ text, found }).toEqual({ text, found: reader.startsWith('stats') ? 1 : rows.length });
        }
      }
    },
  );
});
