// Filters of words change no answer: the same rows are found with them, without them and with damaged ones, in every way of
// storing a table; and row groups that cannot match are not read.

import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TableSpec } from '#logs/log-store.ts';
import { decodeFilter } from '#logs/stores/embedded/text-index/segment-filter.ts';
import { DAY, record, TIME } from '#test/support/engine-conformance/samples.ts';
import { queryOn } from '#test/support/engine-query.ts';
import { type DuckdbHome, makeEngineHome } from '#test/support/log-engine.ts';

const WORDS = [
  'login',
  'Login',
  'TIMEOUT',
  'timeouts',
  'kim',
  'deadbeef42',
  '10',
  '5',
  '1e2',
  'true',
  'e',
  'ß',
  'ſession',
];
const KOREAN = ['접속', '접속실패했습니다', '실패', '김철수', '시간초과'];
const GAPS = [' ', '-', '.', '/', '=', '…', '"', '\\', '\n', '\u00a0'];

const text = fc
  .array(fc.tuple(fc.constantFrom(...WORDS, ...KOREAN), fc.constantFrom('', ...GAPS)), { maxLength: 4 })
  .map((parts) => parts.flat().join(''));
const value = fc.oneof(
  { weight: 5, arbitrary: text },
  fc.constantFrom(5, 10, 5.5, 1e2, 1e21, 0.00001, 9007199254740992, true, false, null),
  fc.array(text, { maxLength: 2 }),
  fc.record({ k: text, login: fc.constantFrom(1.5, 'x') }),
);
const row = fc.record(
  {
    s: text,
    t: fc.option(text),
    m: value,
    n: fc.constantFrom(5, 10, 100),
    d: fc.double({ noNaN: true }),
    b: fc.boolean(),
    _h: text,
  },
  { requiredKeys: [] },
);
/** One segment each, of a day of its own. */
const segments = fc.array(fc.array(row, { minLength: 1, maxLength: 3 }), { minLength: 5, maxLength: 8 });

const quoted = (one: string) => JSON.stringify(one.replaceAll('\u00a0', ' ').replaceAll('\n', ' ')).replaceAll('*', '');
const sought = fc.oneof(fc.constantFrom(...WORDS, ...KOREAN, 'timeout', 'nowhere', 'imeou', '속실', 'kim login'), text);
const isTerm = (one: string) => /[\p{L}\p{Nd}]/u.test(one);
const term = sought.filter(isTerm);
const field = fc.constantFrom('s', 't', 'm', '_h', 'gone');
const condition = fc.oneof(
  fc.tuple(field, sought).map(([f, x]) => `contains(${f}, ${quoted(x)})`),
  fc.tuple(field, sought).map(([f, x]) => `${f} == ${quoted(x)}`),
  fc.tuple(field, sought).map(([f, x]) => `${f} == "*${quoted(x).slice(1, -1)}*"`),
  fc.tuple(field, sought, sought).map(([f, x, y]) => `in(${f}, ${quoted(x)}, ${quoted(y)})`),
  fc.tuple(field, sought).map(([f, x]) => `eqi(${f}, ${quoted(x)})`),
  fc
    .tuple(field, fc.constantFrom('(?i)LOGIN', '(?i)session', 'time[a-z]+', '접속|실패', '(?i)K'))
    .map(([f, x]) => `match(${f}, "${x}")`),
);
const joined = fc
  .tuple(condition, fc.constantFrom('', ' and ', ' or '), condition)
  .map(([one, operator, other]) => (operator === '' ? one : `${one}${operator}${other}`));
const fulltext = fc
  .tuple(
    fc.constantFrom('', 'tt=t '),
    term,
    fc.constantFrom('', '*'),
    fc.constantFrom('', ' and not ', ' or ', ' and '),
    term,
  )
  .map(([tt, one, star, operator, other]) => {
    const ending = star !== '' && /[\p{L}\p{Nd}]$/u.test(one) ? star : '';
    return `fulltext ${tt}${quoted(one).slice(0, -1)}${ending}"${operator === '' ? '' : operator + quoted(other)} from web`;
  });
const query = fc.oneof(
  fulltext,
  joined.map((one) => `table web | search ${one}`),
  joined.map((one) => `table web | eval x = s | search not(isnull(n)) | search ${one} | stats count by n`),
  fc
    .tuple(term, sought)
    .map(
      ([one, other]) =>
        `fulltext s == ${quoted(one)} or ${quoted(one)} from web | search contains(s, ${quoted(other)})`,
    ),
);

async function answersTo(home: DuckdbHome, spec: TableSpec, texts: readonly string[]) {
  const answers: unknown[] = [];
  for (const one of texts) answers.push((await queryOn(home.engine, [spec], one)).rows);
  return answers;
}

async function filled(home: DuckdbHome, spec: TableSpec, days: readonly (readonly object[])[]): Promise<void> {
  for (const [day, rows] of days.entries()) {
    const staging = await home.engine.stage(spec);
    await staging.add(rows.map((one) => record(JSON.stringify(one), TIME - day * DAY)));
    await staging.commit(async () => {});
  }
}

const filtersIn = ({ folder }: DuckdbHome) => globSync(join(folder, 'tables/**/*.words'));

describe.each([
  { layout: 'columnar', protection: 'plain', numRuns: 2 },
  { layout: 'row', protection: 'plain', numRuns: 1 },
  { layout: 'columnar', protection: 'checked', numRuns: 1 },
  { layout: 'columnar', protection: 'encrypted', numRuns: 1 },
] as const)('Filters of a table, $layout $protection', ({ layout, protection, numRuns }) => {
  it('change no answer', async () => {
    await using home = await makeEngineHome();
    let tables = 0;
    await fc.assert(
      fc.asyncProperty(segments, fc.array(query, { minLength: 10, maxLength: 10 }), async (days, texts) => {
        tables += 1;
        const spec = {
          ...(await home.createTable({ name: `web${tables}`, layout, compression: 'snappy' }, protection)),
        };
        const named = texts.map((one) => one.replaceAll(/\bweb\b/g, spec.name));
        await filled(home, spec, days);
        const plain = await answersTo(home, spec, named);
        await home.engine.maintain();
        expect((await home.engine.stats([spec.id])).get(spec.id)?.indexBytes).toBeGreaterThan(0);
        expect({ named, days, answers: await answersTo(home, spec, named) }).toEqual({ named, days, answers: plain });
      }),
      { numRuns, endOnFailure: true },
    );
  });

  it('keep row groups without the words from being read, until they are damaged', async () => {
    await using home = await makeEngineHome();
    const spec = await home.createTable({ name: 'web', layout, compression: 'snappy' }, protection);
    await filled(home, spec, [[{ s: 'ordinary words' }], [{ s: 'a Rare1 word' }], [{ s: '다른 낱말' }]]);
    await home.engine.maintain();
    expect(filtersIn(home)).toHaveLength(3);
    // Decrypted copies of segments end with the process.
    await home.restart();
    for (const file of globSync(join(home.folder, 'tables/**/*.parquet'))) {
      if (!file.includes('2026-11-14')) rmSync(file);
    }
    const found = async (one: string) => (await queryOn(home.engine, [spec], one)).rows.length;
    expect(await found('fulltext "rare1" from web')).toBe(1);
    expect(await found('table web | search s == "a Rare1 word" | stats count by s')).toBe(1);
    expect(await found('fulltext "nowhere" from web')).toBe(0);
    await expect(found('fulltext "ordinary" from web')).rejects.toThrow();
    for (const file of filtersIn(home)) {
      const bytes = readFileSync(file);
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
      writeFileSync(file, bytes);
    }
    // Files that a crash leaves beside no segment, or before they have their name.
    const orphans = ['gone.parquet.words', 'new.parquet.words.unfinished'].map((name) =>
      join(dirname(filtersIn(home)[0] ?? ''), name),
    );
    for (const file of orphans) writeFileSync(file, 'x');
    await home.restart();
    await expect(found('fulltext "rare1" from web')).rejects.toThrow();
    expect(orphans.filter((file) => existsSync(file))).toEqual([]);
  });
});

describe('The small last row group of a file', () => {
  const ROWS = 30_000;
  const secondsOf = (time: number) =>
    Temporal.Instant.fromEpochMilliseconds(time)
      .toZonedDateTimeISO('Asia/Seoul')
      .toPlainDateTime()
      .toString({ smallestUnit: 'second' })
      .replaceAll(/\D/g, '');
  const message = (n: number) => `order ${n} is ${Math.imul(n + 1, 0x9e3779b1) >>> 0}`;

  it('shares the filter of the one before, and no word of either is lost', async () => {
    await using home = await makeEngineHome();
    const spec = await home.createTable({ name: 'web', layout: 'columnar', compression: 'snappy' });
    const staging = await home.engine.stage(spec);
    const records = Array.from({ length: ROWS }, (_, n) => record(JSON.stringify({ s: message(n) }), TIME + n));
    await staging.add(records);
    await staging.commit(async () => {});
    await home.engine.maintain();
    const [file = ''] = filtersIn(home);
    expect(decodeFilter(readFileSync(file))?.groups.map(({ rows }) => rows)).toEqual([ROWS]);
    for (const n of [0, 20_479, 20_480, ROWS - 1]) {
      const [, word = ''] = message(n).split(' is ');
      const at = (second: number) => secondsOf(TIME + Math.floor(n / 1000 + second) * 1000);
      const found = async (times: string) => [
        ...(await answersTo(home, spec, [`fulltext ${times} "${word}" from web | fields s`])),
        ...(await answersTo(home, spec, [`table ${times} web | search contains(s, "${word.slice(1)}") | fields s`])),
      ];
      // The times of row groups are known once a limit has asked for them.
      for (const _ of ['unknown', 'known']) {
        const own = [[message(n)]];
        expect([n, await found('')]).toEqual([n, [own, own]]);
        expect([n, await found(`from=${at(0)} to=${at(1)}`)]).toEqual([n, [own, own]]);
        expect([n, await found(`from=${at(1)} to=${at(9)}`)]).toEqual([n, [[], []]]);
        await answersTo(home, spec, ['table web | limit 1']);
      }
    }
  });
});
