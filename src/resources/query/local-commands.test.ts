// Commands that run in the host (15.10 of the language reference), through the service: rows, counts and ends.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '#query/commands/index.ts';
import { createLogger, push, rowsOf, sent } from '#test/support/logs.ts';
import { ran } from '#test/support/queries.ts';
import { serviceFor } from '#test/support/suites.ts';

const BASE = Date.UTC(2024, 1, 29);

describe('A query with commands of the host', () => {
  const subject = serviceFor();
  const rows = async (q: string) => (await rowsOf(subject, q)).map(sent);
  const pushes = async (q: string) => {
    const { commands, error_code } = await ran(subject, q);
    expect(error_code).toBeUndefined();
    return commands.map(({ push_count }: { push_count: number }) => push_count);
  };
  const filled = async (table: string, count: number, fields: (n: number) => object) => {
    const logger = await createLogger(subject, { table });
    const lines = Array.from({ length: count }, (_, n) => JSON.stringify({ _time: BASE + n, ...fields(n) }));
    await push(subject, logger, { body: lines.join('\n') });
  };

  it('adds up from row to row', async () => {
    await filled('sums', 4, (n) => ({ n: n + 1, u: n % 2 ? 'a' : 'b' }));
    expect(
      await rows('set t = 0 | table order=asc sums | evalc t = $("t") + n | eval sum = $("t") | fields n, sum'),
    ).toEqual([
      { n: 1, sum: 1 },
      { n: 2, sum: 3 },
      { n: 3, sum: 6 },
      { n: 4, sum: 10 },
    ]);
  });

  it.each([
    ['through per-row commands', '| evalc t = $("t", 0) + n | search n > 2 | eval s = $("t")', [{ s: 6 }, { s: 10 }]],
    [
      'as null, which is a value',
      '| evalc t = if(n == 2, null, n) | eval s = $("t", -1)',
      [{ s: 1 }, { s: -1 }, { s: 3 }, { s: 4 }],
    ],
    [
      'where an evalc after it has set it',
      '| evalc t = $("t", 0) + 1 | evalc t = $("t") * 2 | eval s = $("t")',
      [{ s: 2 }, { s: 6 }, { s: 14 }, { s: 30 }],
    ],
    [
      'beside others',
      '| evalc a = n, b = $("a") * 10 | eval s = $("a") + $("b")',
      [{ s: 11 }, { s: 22 }, { s: 33 }, { s: 44 }],
    ],
    [
      'through sort, as it was for the row',
      '| evalc t = $("t", 0) + n | sort -n | eval s = $("t")',
      [{ s: 10 }, { s: 6 }, { s: 3 }, { s: 1 }],
    ],
    [
      'into a second evalc behind sort',
      '| evalc t = n | sort -n | evalc v = $("v", "") == "", w = $("t") | eval s = $("w")',
      [{ s: 4 }, { s: 3 }, { s: 2 }, { s: 1 }],
    ],
    ['into aggregates', '| evalc t = $("t", 0) + n | stats max($("t")) as s', [{ s: 10 }]],
    [
      'into groups, timelessly',
      '| evalc t = n * 2 | eval x = $("t") | stats sum(x) as s by u',
      [
        { u: 'a', s: 12 },
        { u: 'b', s: 8 },
      ],
    ],
    [
      'into charts',
      '| evalc t = u | eval x = $("t") | pivot count rows n cols x | fields a',
      [{}, { a: 1 }, {}, { a: 1 }],
    ],
    ['through a limit', '| evalc t = $("t", 0) + n | limit 1 2 | eval s = $("t")', [{ s: 3 }, { s: 6 }]],
    ['through parsing', '| eval line = "k=v" | evalc t = n | parsekv | eval s = $("t") | limit 1', [{ k: 'v', s: 1 }]],
    [
      'through a join',
      '| evalc t = n | eval s = $("t") | join n [ json "[{n:2},{n:3}]" ] | sort n',
      [{ s: 2 }, { s: 3 }],
    ],
    ['with seq()', '| evalc t = seq() | eval s = $("t") + seq() | fields s', [{ s: 2 }, { s: 4 }, { s: 6 }, { s: 8 }]],
  ])('keeps a parameter %s', async (_, steps, expected) => {
    const found = await rows(`table order=asc sums ${steps}`);
    const names = new Set(expected.flatMap((row) => Object.keys(row)));
    expect(found.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => names.has(name))))).toEqual(
      expected,
    );
  });

  it('reads what set gave where rows are made of others, and in options', async () => {
    expect(await rows('set t = 7 | table sums | evalc t = n | stats count | eval s = $("t")')).toEqual([
      { count: 4, s: 7 },
    ]);
    expect(await rows('set k = 2 | table sums | evalc k = 1 | limit $("k") | stats count')).toEqual([{ count: 2 }]);
  });

  it.each([
    ['set t = 0 | table sums | evalc t = n', [0, 4, 4]],
    ['table sums | evalc t = n | search n > 1 | eval x = 1 | search x == 1 and n > 2', [4, 4, 3, 3, 2]],
    ['table sums | search n > 1 | evalc t = n | search n > 2 | stats count', [4, 3, 3, 2, 1]],
    ['table sums | search n > 1 | evalc t = n | drop', [4, 3, 3, 0]],
    ['table sums | eval l = array(1, 2) | evalc t = n | explode l | limit 3', [2, 2, 2, 4, 3]],
    ['table sums | evalc t = n | limit 0', [0, 0, 0]],
    ['table sums | evalc t = n | repeat count=3', [4, 4, 12]],
    ['table sums | evalc t = n | sort n | limit 2', [4, 4, 2, 2]],
    ['table sums | serial [ search n > 1 | eval b = n | search b < 4 ] | stats count', [4, 2, 1]],
    ['table sums | parallel core=2 [ search n > 1 | stats count by u ]', [4, 2]],
    ['table sums | serial [ evalc t = n | search $("t") > 2 ] | eval x = $("t")', [4, 2, 2]],
    ['remote vigil [ table sums | search n > 1 ] | limit 2', [2, 2]],
    ['table *:sums, vigil:sums | search _node == "vigil"', [4, 4]],
  ])('counts what each command hands on: %s', async (q, expected) => {
    expect(await pushes(q)).toEqual(expected);
  });

  it('ends with its limit, however much there would be, and still counts what is below', async () => {
    await filled('many', 30_000, (n) => ({ n, even: n % 2 }));
    const q = 'table order=asc many | search even == 1 | evalc t = $("t", 0) + 1 | search n > 100 | limit 3';
    const { commands, is_cancelled, rows: count } = await ran(subject, q);
    expect({ is_cancelled, count }).toEqual({ is_cancelled: false, count: 3 });
    expect(commands.slice(-1)).toEqual([{ command: 'limit 3', push_count: 3, status: 'End' }]);
    expect(commands[2].push_count).toBe(53);
    expect(commands[0].push_count).toBe(30_000);
  });

  it('keeps the order of many rows, in the result and in what follows', async () => {
    const flowing = await rows('table order=asc many | evalc t = $("t", -1) + 1 | search $("t") != n | stats count');
    expect(flowing).toEqual([{ count: 0 }]);
    const last = await rows('table order=asc many | evalc t = $("t", 0) + n | eval s = $("t") | stats last(s) as s');
    expect(last).toEqual([{ s: (29_999 * 30_000) / 2 }]);
  });

  it('gives pages of its rows and counts all', async () => {
    const q = 'table order=asc many | evalc t = n | search n < 5000 | fields n';
    const answer = await subject.call('GET', `/api/core/query?q=${encodeURIComponent(q)}&offset=4990&limit=3`);
    expect(answer.text).toBe('{"n":4990}\n{"n":4991}\n{"n":4992}\n');
    const id = Number(answer.headers.get('x-query-id'));
    const { json } = await subject.call('GET', `/api/core/queries/${id}`);
    expect(json.commands.map(({ push_count }: { push_count: number }) => push_count)).toEqual([
      30_000, 30_000, 5000, 5000,
    ]);
  });

  const NAMES = ['remote', 'parsexml', 'evalc', 'serial', 'parallel', 'outputcsv', 'outputjson', 'outputtxt'];
  // Paths with the moment of a run are those of the examples' own clock.
  const examples = commands
    .filter(({ name }) => NAMES.includes(name))
    .flatMap((command) => command.examples.filter(({ query }) => !query.includes('{now:')));

  it.each(examples.map((example, index) => [example.query, example, `given_${index}`] as const))(
    'runs the example %s',
    async (query, { tables, gives, refused, pushes: expected, writes }, table) => {
      const q = query.replace('table given', `table ${table}`);
      const given = tables?.given ?? [];
      // Newest first is the order in which they are written.
      await filled(table, given.length, (n) => ({ ...given[n], _time: BASE - n }));
      if (refused) {
        const { text } = await subject.call('GET', `/api/core/query?q=${encodeURIComponent(q)}`);
        expect(text).toContain(`(${refused.code})`);
        return;
      }
      // What was sent as null is shown as null.
      const found = (await rows(q)).map((row) => Object.entries(row).filter(([, value]) => value !== null));
      expect(found.map((fields) => Object.fromEntries(fields))).toEqual(gives);
      for (const [path, text] of Object.entries(writes ?? {})) {
        expect(readFileSync(join(subject.service.config.data, 'exports', path), 'utf8')).toBe(text);
      }
      if (expected) expect(await pushes(q.replace(/(output\w+) /, '$1 overwrite=t '))).toEqual(expected);
    },
  );

  it('stores what a subquery imports', async () => {
    await createLogger(subject, { table: 'dst' });
    await rowsOf(subject, 'json "{a:1}" | union [ json "[{a:2},{a:3}]" | import dst ]');
    await rowsOf(subject, 'json "{a:2}" | join a [ json "{a:2}" | serial [ import dst ] ]');
    expect(await rows('table dst | stats count by a')).toEqual([
      { a: 2, count: 2 },
      { a: 3, count: 1 },
    ]);
  });

  it('takes XML apart', async () => {
    await filled('xml', 1, () => ({ line: "<e><id>7</id><u n='k'>x</u><t>a</t><t/></e>" }));
    expect(await rows('table xml | parsexml')).toEqual([{ id: '7', u: { n: 'k', _text: 'x' }, t: ['a', ''] }]);
    expect(await rows('table xml | eval x = xpath(line, "//u/@n") | fields x')).toEqual([{ x: 'k' }]);
  });

  it('runs on its own node by name', async () => {
    const [row] = await rowsOf(subject, 'table vigil:sums | limit 1');
    expect(row).toMatchObject({ _table: 'sums', _node: 'vigil' });
    expect(await rows('remote * [ table sums | stats count ]')).toEqual([{ count: 4 }]);
    const { text } = await subject.call('GET', `/api/core/query?q=${encodeURIComponent('table n9:sums')}`);
    expect(text).toContain('(10500) there is no node n9');
  });
});
