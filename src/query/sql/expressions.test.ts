// Properties of compiled statements beside their results: they contain no text of the query, their size is proportional
// to the expression, and known types give plain columns and tests.

import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { quoted } from '#query/language/strings.ts';
import type { Expression } from '#query/model/expression.ts';
import type { Value } from '#query/model/values.ts';
import { failureIn } from '#query/values/failures.ts';
import { lower, upper } from '#query/values/text/strings.ts';
import {
  DuckdbRows,
  evaluateLocally,
  isSame,
  type Planned,
  planned,
  plannedAggregate,
  type TestRow,
} from '#test/support/expressions.ts';

const MARK = 'hostile7f3';
const HOSTILE = [
  `${MARK}'); drop table pool1; --`,
  `"${MARK}"`,
  `$1 ${MARK} $2::varchar`,
  `\\'${MARK}`,
  `/*${MARK}*/ {0} {1}`,
  `${MARK}\u0000\n;select 1`,
  `']) || '${MARK}`,
  `%${MARK}_\\%`,
  `}${MARK}{`,
];

const columns = [
  { name: 's', type: 'string' },
  { name: 'a', type: 'any' },
  { name: 'l', type: 'long' },
  { name: 'm', type: 'map' },
] as const;

const KEYS = ['', '/', '~', '~0', '$', '$.a', '*', 'a.b', '"', "'", '[0]', '1', '-', '한글', 'a/b', ...HOSTILE];
const members = new Map<string, Value>(KEYS.map((key, index) => [key, index % 3 === 0 ? null : BigInt(index)]));
const rows: TestRow[] = [
  ...HOSTILE.map((text) => ({ s: text, a: text, l: 5n, m: members })),
  { s: null, a: [HOSTILE[0] ?? ''], l: null, m: new Map() },
];

let duckdb: DuckdbRows;

beforeAll(async () => {
  duckdb = await DuckdbRows.open(columns, rows);
});

async function agrees(expression: Planned<Expression>): Promise<void> {
  const found = await duckdb.values(expression);
  const wanted = evaluateLocally(expression, rows);
  expect(wanted.filter((value, index) => !isSame(value, found[index] ?? null))).toEqual([]);
}

describe('A key', () => {
  it('is neither in the SQL nor among its bound values', () => {
    const texts = ['encrypt("AES/GCM", $("secret_key"), s)', 'decrypt("AES/CBC", $("secret_key"), a, s)'];
    for (const text of texts) {
      const { text: written, values } = duckdb.statementOf(planned(text, columns));
      expect(`${written} ${Object.values(values).join(' ')}`).not.toContain('0123456789abcdef');
    }
  });
});

describe('No text of a query is in SQL', () => {
  const USES: readonly ((text: string) => string)[] = [
    (text) => `s == ${quoted(text)}`,
    (text) => `a == ${quoted(text)}`,
    (text) => `s != ${quoted(`${text}*x*`)}`,
    (text) => `in(a, ${quoted(text)}, ${quoted(`*${text}`)})`,
    (text) => `eqi(s, ${quoted(text)})`,
    (text) => `like(s, ${quoted(text)})`,
    (text) => `contains(a, ${quoted(text)})`,
    (text) => `match(s, ${quoted(`\\Q${text.replaceAll('\\', '')}\\E`)})`,
    (text) => `replace(s, ${quoted(text)}, a)`,
    (text) => `replace(s, "[a-z]", ${quoted(text)}, "re")`,
    (text) => `concat(s, ${quoted(text)}, a)`,
    (text) => `split(s, ${quoted(text)})`,
    (text) => `dict(${quoted(text)}, s)`,
    (text) => `array(${quoted(text)}, a)`,
    (text) => `valueof(m, ${quoted(text)})`,
    (text) => `string(now(), ${quoted(`'${text.replaceAll("'", "''")}'`)}) == s`,
    (text) => `innet(s, ${quoted(text)})`,
    (text) => `if(s < ${quoted(text)}, s, ${quoted(text)})`,
    (text) => `lpad(s, 60, ${quoted(text)})`,
  ];

  it.each(HOSTILE)('of %j', async (text) => {
    for (const use of USES) {
      const expression = planned(use(text), columns);
      expect(duckdb.statementOf(expression).text).not.toContain(MARK);
      await agrees(expression);
    }
  });

  it('of names of fields in an overflow, which are never read as a path', async () => {
    for (const name of KEYS) {
      const source = { kind: 'overflow', id: 99 } as const;
      const field: Planned<Expression> = {
        planned: { kind: 'field', name, type: 'any', source, begin: 0, end: 0 },
        names: new Map([[99, 'm']]),
      };
      expect(duckdb.statementOf(field).text).not.toContain(MARK);
      expect(await duckdb.values(field)).toEqual([...HOSTILE.map(() => members.get(name) ?? null), null]);
    }
  });

  it('of columns, whose names are quoted', async () => {
    const named = [{ name: `a" from x; drop table pool1 --${MARK}`, type: 'string' } as const];
    const one = await DuckdbRows.open(named, [{ [named[0]?.name ?? '']: 'x' }]);
    const field = planned(`field(${quoted(named[0]?.name ?? '')})`, named);
    expect(await one.values(field)).toEqual(['x']);
  });

  it('of any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.nat({ max: USES.length - 1 }), async (text, use) => {
        const normalized = text.normalize().replaceAll('*', '');
        const expression = planned(USES[use]?.(normalized) ?? '', columns);
        const plain = planned(USES[use]?.('plain') ?? '', columns);
        // Two equal texts share one parameter, and LIKE needs an escape for its wildcards; everything else in the
        // statements must be the same.
        const words = (one: Planned<Expression>) =>
          duckdb
            .statementOf(one)
            .text.replace(/\$\d+::\w+/g, '?')
            .replaceAll(" escape '\\'", '');
        if (normalized.trim() !== '' && use < 3) expect(words(expression)).toBe(words(plain));
        await agrees(expression);
      }),
      { numRuns: 60 },
    );
  });
});

describe('Statements', () => {
  it('grow with the expression, not with a power of its depth', async () => {
    // Deeper expressions are evaluated by the local evaluator and give small statements, so the depth stays below that limit.
    const nested = (depth: number) => `${'nvl(lower(substr('.repeat(depth)}a${', 0)), a)'.repeat(depth)}`;
    const size = (depth: number) => duckdb.statementOf(planned(nested(depth), columns)).text.length;
    expect(size(7) / size(3)).toBeLessThan(3);
    await agrees(planned(nested(7), columns));
  });

  it('run at the greatest depth that the parser allows', async () => {
    await agrees(planned(`${'lower('.repeat(250)}a${')'.repeat(250)}`, columns));
    await agrees(planned(`${'-('.repeat(250)}a${')'.repeat(250)}`, columns));
    await agrees(planned(`${'concat(1, '.repeat(250)}a${')'.repeat(250)}`, columns));
    await agrees(planned(`${'if(s, 1, '.repeat(250)}a${')'.repeat(250)}`, columns));
    await agrees(planned(`${'in('.repeat(120)}a${', a == s, 5)'.repeat(120)}`, columns));
  });

  it.each([
    ['l == 500', '"l" = $::bigint'],
    ['l > 5 and s == "x"', '("l" > $::bigint) and ("s" = $::varchar)'],
    ['s == "x*"', 'starts_with("s", $::varchar)'],
    ['s == "*x*"', 'contains("s", $::varchar)'],
    ['match(s, "x")', 'regexp_matches("s", $::varchar)'],
    ['a == "x"', '"a" = to_json($::varchar)'],
  ])('keep the plain test of %s where a scan can use it', (text, written) => {
    expect(duckdb.conditionOf(planned(text, columns)).replace(/\$\d+/g, '$')).toContain(written);
  });
});

it('Failures that end a run are distinguished from other errors', async () => {
  const failed = async (work: Promise<unknown>) =>
    failureIn(
      String(
        await work.then(
          () => '',
          (failure) => failure,
        ),
      ),
    )?.code;
  expect(await failed(duckdb.values(planned('daterange(epoch(l), now(), "10s")', columns)))).toBe(93010);
  for (const text of ['len(daterange(epoch(l), now(), "10s")) + 1', '-len(daterange(epoch(l), now(), "10s"))']) {
    expect(await failed(duckdb.values(planned(text, columns)))).toBe(93010);
  }
  const values = plannedAggregate('values(l + 0)', columns);
  expect(await failed(duckdb.aggregate(values))).toBeUndefined();
});

it('A declared column is completed by values of other types from the overflow', async () => {
  const stored = [
    { name: 'status', type: 'long' },
    { name: '_rest', type: 'map' },
  ] as const;
  const rest = (value: Value) => new Map<string, Value>([['status', value]]);
  const given: TestRow[] = [
    { status: 500n, _rest: null },
    { status: null, _rest: rest('n/a') },
    { status: null, _rest: rest([1n, 2.5]) },
    { status: null, _rest: rest(null) },
    { status: null, _rest: new Map([['other', 1n]]) },
    { status: null, _rest: null },
  ];
  const one = await DuckdbRows.open(stored, given);
  expect(await one.stored('status', '_rest')).toEqual([500n, 'n/a', [1n, 2.5], null, null, null]);
});

it('The local evaluator and DuckDB map the case of every code point alike', async () => {
  const points = Array.from({ length: 0x110000 }, (_, point) => point).filter(
    (point) => point < 0xd800 || point > 0xdfff,
  );
  const texts = Array.from({ length: Math.ceil(points.length / 4096) }, (_, part) =>
    String.fromCodePoint(...points.slice(part * 4096, (part + 1) * 4096)),
  );
  const one = await DuckdbRows.open(
    columns,
    texts.map((s) => ({ s })),
  );
  expect(await one.values(planned('lower(s)', columns))).toEqual(texts.map(lower));
  expect(await one.values(planned('upper(s)', columns))).toEqual(texts.map(upper));
});
