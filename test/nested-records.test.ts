// Ragged records with objects in them, more than a thousand and the same at every run: fresh, sealed, merged, after a new start and dense
// they are what was pushed, and searches over what is inside find what stream rules find in the same records.

import { expect, it } from 'vitest';
import { incomingRecord } from '#detection/stream/incoming-record.ts';
import { parseExactly } from '#kernel/json/parse-json.ts';
import { runToEnd } from '#kernel/sliced-work.ts';
import type { TableSpec } from '#logs/log-store.ts';
import { compileRule } from '#query/rules/condition.ts';
import { record, TIME } from '#test/support/engine-conformance/samples.ts';
import { PROTECTIONS } from '#test/support/engine-conformance/suite.ts';
import { queryOn } from '#test/support/engine-query.ts';
import { FiledBatches } from '#test/support/filed-batches.ts';
import { type DuckdbHome, makeEngineHome } from '#test/support/log-engine.ts';
import { EXAMPLE_NOW, EXAMPLE_USER, EXAMPLE_ZONE } from '#test/support/query-examples.ts';

const RECORDS = 1200;
/** Of a push: columns are known, shapes are learnt, and then they are there. */
const BATCH = 200;
const STORAGE = { layout: 'columnar', compression: 'snappy' } as const;

type Pick = (count: number) => number;

/** Numbers below a count, the same for the same seed. */
function drawing(seed: number): Pick {
  let state = seed;
  return (count) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

const oneOf = <T>(values: readonly [T, ...T[]], pick: Pick): T => values[pick(values.length)] ?? values[0];

const UNUSUAL = [
  ...['1.0', '1e3', '-0', '1e400', '0.1', '1e-7', '9007199254740993', '123456789012345678901234567890', '-3.25'],
  ...['"5"', '""', '"null"', '"\\u00e9\\n\\"\\\\\\/"', '"\\ufffd"', '"한글 x"', '"2026-11-15"', '"1e400"', '" +7e1 "'],
  ...['true', 'false', 'null', '{}', '[]', '[1,{"a":null},"x"]', '{"d":1}', '{"v":{"d":[{}]}}', '[[]]'],
] as const;
const unusual = (pick: Pick) => UNUSUAL[pick(UNUSUAL.length)] ?? 'null';

/** One of four records has a value of another kind than the others somewhere. */
const usually = (text: string, pick: Pick): string => (pick(24) === 0 ? unusual(pick) : text);

type Writer = (at: number, pick: Pick) => string;

const kubernetes: Writer = (_, pick) =>
  `"kubernetes":{"namespace":${usually(`"${oneOf(['prod', 'test', 'dev'], pick)}"`, pick)},"pod":{"name":"pod-${pick(40)}",` +
  `"restarts":${usually(String(pick(5)), pick)}}${pick(3) === 0 ? `,"labels":{"app":"app-${pick(4)}","team.x":"t${pick(3)}"}` : ''}}`;

/** Fields that are objects, and texts in some records. */
const http: Writer = (_, pick) =>
  pick(30) === 0
    ? `"http":${unusual(pick)}`
    : `"http":{"status":${usually(String(200 + pick(4) * 100), pick)},"agent":{"name":"a${pick(3)}","Name":"b${pick(3)}"},"ok":${pick(2) === 0}}`;

/** Types change halfway: a number becomes a text, a text an object, an object a list. */
const turning: Writer = (at, pick) =>
  at < RECORDS / 2
    ? `"turn":{"a":${pick(9)},"b":"x${pick(3)}","c":{"d":${pick(3)}}}`
    : `"turn":{"a":"${pick(9)}","b":{"d":"x${pick(3)}"},"c":[${pick(3)}]}`;

const odd: Writer = (_, pick) =>
  `"a.b":${pick(2) === 0 ? pick(5) : '"x"'},"a":{"b":${usually(String(pick(5)), pick)},"B":"${pick(3)}","b.c":{"":1,"q\\"":${pick(3)},"s/t":"~"}},` +
  `"A":{"b":"upper"},"_shape_":{"_rest":${pick(3)},"_shape":null,"__proto__":"p"},"list":[${pick(3)},{"k":${unusual(pick)}}]`;

/** No two have the same keys. */
const free: Writer = (at, pick) =>
  `"free":{"id-${at}":{"v":${usually(String(pick(9)), pick)}},"p${pick(5000)}":${unusual(pick)},"v":"g${pick(4)}"}`;

const WRITERS: readonly [Writer, ...Writer[]] = [kubernetes, kubernetes, kubernetes, http, http, turning, odd, free];

const bodyOf = (at: number, pick: Pick): string => {
  const first = oneOf(WRITERS, pick);
  const second = pick(4) === 0 ? oneOf(WRITERS, pick) : first;
  return first === second ? first(at, pick) : `${first(at, pick)},${second(at, pick)}`;
};

const recordText = (at: number, pick: Pick): string =>
  `{"n":${at},"g":"g${pick(3)}",${bodyOf(at, pick)}${pick(20) === 0 ? ',"note":null' : ''}}`;

function recordsOf(seed: number) {
  const pick = drawing(seed);
  // Some come late.
  return Array.from({ length: RECORDS }, (_, at) =>
    record(recordText(at, pick), TIME + at - (pick(50) === 0 ? 700 : 0)),
  );
}

const VALUES = [
  ...['valueof(kubernetes, "namespace")', 'valueof(valueof(kubernetes, "pod"), "restarts")'],
  ...[
    'valueof(valueof(kubernetes, "labels"), "team.x")',
    'valueof(http, "status")',
    'valueof(valueof(http, "agent"), "name")',
  ],
  ...['valueof(valueof(http, "agent"), "Name")', 'valueof(http, "ok")', 'valueof(turn, "a")', 'valueof(turn, "b")'],
  ...[
    'valueof(valueof(turn, "b"), "d")',
    'valueof(valueof(turn, "c"), "d")',
    'valueof(turn, "c")',
    'valueof(a, "b")',
    'valueof(a, "B")',
  ],
  ...[
    'valueof(valueof(a, "b.c"), "s/t")',
    'valueof(A, "b")',
    'valueof(free, "v")',
    'valueof(free, "p7")',
    'http',
    'kubernetes',
    'list',
  ],
  ...['valueof(_shape_, "_rest")', 'valueof(_shape_, "__proto__")', 'valueof(list, 0)', 'note', 'field("a.b")'],
];
const TESTS: readonly ((value: string) => string)[] = [
  ...[
    (value: string) => `isnotnull(${value})`,
    (value: string) => `${value} >= 2`,
    (value: string) => `${value} == "*1"`,
  ],
  ...[(value: string) => `${value} == 200 or ${value} == "prod"`, (value: string) => `not(${value} != "g1")`],
  ...[
    (value: string) => `isstr(${value}) and ${value} < "p"`,
    (value: string) => `in(${value}, 1, "x1", true, "upper")`,
  ],
];
const CONDITIONS = VALUES.flatMap((value, at) =>
  [TESTS[at % TESTS.length], TESTS[(at + 3) % TESTS.length]].map((test) => test?.(value) ?? value),
);

const GROUPS = [
  ...VALUES.map((value) => `eval v = ${value} | stats count, min(n) as least by v | sort least, v`),
  'stats count, max(valueof(turn, "a")) as m, dc(valueof(free, "v")) as d by g | sort g',
  'eval a = valueof(kubernetes, "namespace"), b = valueof(valueof(kubernetes, "pod"), "restarts") | sort limit=30 -b, a, n | fields n, a, b',
  'eval t = typeof(valueof(a, "b")), s = string(valueof(turn, "b")), l = len(valueof(turn, "c")) | sort n | fields n, t, s, l',
];
const WORDS = [
  'prod',
  'g1',
  'Upper',
  'namespace',
  '"x1"',
  '200',
  '한글',
  '123456789012345678901234567890',
  'é',
  'team',
  'p77',
  'pod-3',
];

const CONTEXT = {
  zone: EXAMPLE_ZONE,
  user: EXAMPLE_USER,
  constants: new Map(),
  groups: () => new Map(),
  now: () => EXAMPLE_NOW,
};

/** The numbers of those that a stream rule finds. */
function judged(condition: string, texts: readonly string[]): number[] {
  const { judge } = runToEnd(compileRule(`search ${condition}`, CONTEXT));
  return texts.flatMap((text, at) => (judge(incomingRecord(text, TIME + at, 't')) ? [at] : []));
}

interface Tables {
  readonly own: TableSpec;
  readonly documents: TableSpec;
}

async function expectObjects(home: DuckdbHome, { own }: Tables, wanted: Wanted, form: string): Promise<void> {
  const rows = await home.read(own);
  const read = new Map(rows.map((row) => [Number(row.n), row]));
  expect(read.size, form).toBe(wanted.objects.size);
  for (const [at, objects] of wanted.objects) {
    for (const [name, text] of objects)
      expect(JSON.stringify(read.get(at)?.[name]), `${form}: ${at} ${name}`).toBe(text);
  }
}

async function expectFound(home: DuckdbHome, { own, documents }: Tables, wanted: Wanted, every: Every): Promise<void> {
  for (const [condition, found] of every(wanted.found)) {
    const { rows: numbers } = await queryOn(home.engine, [own], `table t | search ${condition} | sort n | fields n`);
    expect(
      numbers.map(([n]) => Number(n)),
      condition,
    ).toEqual(found);
  }
  const texts = [
    ...GROUPS.map((group) => `table t | ${group}`),
    ...WORDS.map((word) => `fulltext ${word.startsWith('"') ? word : `"${word}"`} from t | sort n | fields n`),
  ];
  for (const text of every(texts)) {
    const { rows: one } = await queryOn(home.engine, [own], text);
    const { rows: other } = await queryOn(home.engine, [documents], text.replace(/(?<=^table |from )t/, 'u'));
    expect(one, text).toEqual(other);
  }
}

/** Each table is asked two shares: all of them are asked of some. */
const SHARES = 4;

type Every = <T>(all: Iterable<T>) => readonly T[];

const every =
  (step: number, from: number): Every =>
  (all) =>
    [...all].filter((_, at) => at % step === from);

interface Wanted {
  /** Objects and lists of records as they were pushed, by the numbers of these. */
  readonly objects: ReadonlyMap<number, readonly (readonly [string, string])[]>;
  readonly found: ReadonlyMap<string, readonly number[]>;
}

function wantedOf(texts: readonly string[]): Wanted {
  const objectsOf = (text: string) =>
    Object.entries(parseExactly(text) as object).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null && !JSON.isRawJSON(value)
        ? [[name, JSON.stringify(value)] as const]
        : [],
    );
  return {
    objects: new Map(texts.map((text, at) => [at, objectsOf(text)])),
    found: new Map(CONDITIONS.map((condition) => [condition, judged(condition, texts)])),
  };
}

it.each(PROTECTIONS.map((protection, at) => ({ protection, seed: 61 + at, at })))(
  'Ragged records come back from a table that is $protection, and are found',
  async ({ protection, seed, at }) => {
    await using home = await makeEngineHome();
    const own = await home.createTable({ name: 't', ...STORAGE }, protection);
    const documents = await home.createTable({ name: 'u', layout: 'row', compression: 'snappy' });
    const records = recordsOf(seed);
    const wanted = wantedOf(records.map(({ text }) => text));
    const tables = { own, documents };
    const batches = new FiledBatches(own);
    await home.engine.append(documents, records);
    for (let from = 0; from < RECORDS; from += BATCH)
      await batches.append(home.engine, records.slice(from, from + BATCH));
    expect(batches.withLeaves).toBeGreaterThan(batches.files / 2);
    await expectObjects(home, tables, wanted, 'fresh');
    await home.tick({ minutes: 6 });
    await expectObjects(home, tables, wanted, 'sealed');
    await home.tick({ minutes: 60 });
    await home.restart();
    await expectObjects(home, tables, wanted, 'merged, after a new start');
    await expectFound(home, tables, wanted, every(SHARES, at));
    await home.tick({ hours: 32 * 24 });
    await expectObjects(home, tables, wanted, 'dense');
    await expectFound(home, tables, wanted, every(SHARES, at + 1));
    expect(home.failures).toEqual([]);
    expect(home.corruptions).toEqual([]);
  },
);
