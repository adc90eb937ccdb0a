// Whatever stands in a result comes back out of every format: rows of any names and values are written, and read by
// readers that know the format alone.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toStamp } from '#contract/times.ts';
import { type ColumnType, typeOf, type Value } from '#query/model/values.ts';
import { taggedJson, taggedValue } from '#query/rows/tagged-json.ts';
import { compactJson } from '#query/values/conversions.ts';
import { compareText } from '#query/values/order-text.ts';
import { csvRows, txtRows, xmlRows } from '#test/support/format-readers.ts';
import { written } from '#test/support/formats.ts';

const ZONE = 'America/St_Johns';

/** Any UTF-16 there is, with a liking for what formats give a meaning. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...'\0\t\n\r\u001b "\'&<>=,;\\]{}[$/:#\ud800\udc00\u0085\u2028\ufffe가é1') }),
  fc.constantFrom('', '__proto__', 'constructor', '$date', ']]>', '&#13;', '\\u0000', 'null', '</rows>', '10', '9'),
);
const scalar = fc.oneof(
  fc.constant<Value>(null),
  fc.boolean(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  text,
  fc
    .integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 })
    .map((at) => Temporal.Instant.fromEpochMilliseconds(at)),
  fc.uint8Array({ maxLength: 9 }),
);
const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(text, tie('value')), { maxLength: 4 }).map((pairs) => new Map(pairs)),
  ),
}));

/** A map of one key of the engine's own is read as what that key says. */
const untagged = value.map((one) => taggedValue(taggedJson(one)));

interface Generated {
  readonly columns: readonly { name: string; type: ColumnType }[];
  readonly hasOverflow: true;
  readonly zone: string;
  readonly rows: readonly string[];
  readonly meant: readonly Map<string, Value>[];
}

const result: fc.Arbitrary<Generated> = fc
  .tuple(fc.uniqueArray(text, { maxLength: 4 }), fc.uniqueArray(text, { maxLength: 3 }))
  .chain(([names, further]) => {
    const keys = further.filter((name) => !names.includes(name)).sort(compareText);
    const width = names.length + keys.length;
    const rows = fc.array(fc.array(untagged, { minLength: width, maxLength: width }), { maxLength: 5 });
    return rows.map((values): Generated => {
      const meant = values.map((row) => new Map([...names, ...keys].map((name, at) => [name, row[at] ?? null])));
      return {
        columns: names.map((name) => ({ name, type: 'any' })),
        hasOverflow: true,
        zone: ZONE,
        rows: values.map((row) => rowText(row, { names, keys })),
        meant,
      };
    });
  });

function rowText(row: readonly Value[], { names, keys }: { names: string[]; keys: string[] }): string {
  const cells = names.map((_, at) => taggedJson(row[at] ?? null));
  const rest = keys.map((key, at) => `${JSON.stringify(key)}:${taggedJson(row[names.length + at] ?? null)}`);
  return `[${[...cells, `{${rest.join(',')}}`].join(',')}]`;
}

/** What every format but json shows of a value. */
function shown(one: Value): string {
  if (one instanceof Temporal.Instant) return toStamp(one, ZONE);
  if (one instanceof Uint8Array) return one.toBase64();
  if (typeof one === 'string') return one;
  return compactJson(one, ZONE);
}

const present = (row: ReadonlyMap<string, Value>) => [...row].filter(([, one]) => one !== null);
const sorted = <T>(pairs: Iterable<readonly [string, T]>) => [...pairs].sort(([a], [b]) => (a < b ? -1 : 1));
const holds = (check: (made: Generated) => Promise<void>) =>
  fc.assert(fc.asyncProperty(result, check), { numRuns: 300 });

describe('Any result comes back', () => {
  it('from json, to the letter', async () => {
    await holds(async (made) => {
      const lines = (await written('json', made)).split('\n').slice(0, -1);
      const wanted = made.meant.map((row) =>
        present(row).map(([name, one]) => `${JSON.stringify(name)}:${jsonOf(one)}`),
      );
      expect(lines).toEqual(wanted.map((members) => `{${members.join(',')}}`));
      for (const line of lines) JSON.parse(line);
    });
  });

  it('from json-single, as the same objects', async () => {
    await holds(async (made) => {
      const lines = (await written('json', made)).split('\n').slice(0, -1);
      const whole = await written('json-single', made);
      expect(whole.startsWith(`{"rows":[${lines.join(',')}],"total":`)).toBe(true);
      const { total, field_order } = JSON.parse(whole);
      expect(total).toBe(made.rows.length);
      const names = new Set([
        ...made.columns.map(({ name }) => name),
        ...made.meant.flatMap((row) => present(row).map(([name]) => name)),
      ]);
      expect([...field_order].sort()).toEqual([...names].sort());
    });
  });

  it('from csv, but for halves of surrogate pairs', async () => {
    await holds(async (made) => {
      const [header = [], ...rows] = csvRows(await written('csv', made));
      fc.pre(new Set(header).size === header.length);
      expect(rows.length).toBe(made.meant.length);
      for (const [at, row] of rows.entries()) {
        const read = row.map((cell, index): [string, string | undefined] => [header[index] ?? '', cell]);
        const isOneNull = row.length === 1 && present(made.meant[at] ?? new Map()).length === 0;
        const kept = isOneNull ? [] : read.filter((pair): pair is [string, string] => pair[1] !== undefined);
        const wanted = present(made.meant[at] ?? new Map()).map(([name, one]): [string, string] => [
          name.toWellFormed(),
          shown(one).toWellFormed(),
        ]);
        expect(sorted(kept)).toEqual(sorted(wanted));
      }
    });
  });

  it('from txt, but for halves of surrogate pairs', async () => {
    await holds(async (made) => {
      const rows = txtRows(await written('txt', made));
      const wanted = made.meant.map(
        (row) => new Map(present(row).map(([name, one]) => [name.toWellFormed(), shown(one).toWellFormed()])),
      );
      expect(rows.map(sorted)).toEqual(wanted.map(sorted));
    });
  });

  it('from xml, with types', async () => {
    await holds(async (made) => {
      const rows = xmlRows(await written('xml', made));
      const read = rows.map((row) => sorted(row.map(({ name, type, text: content }) => [name, [type, content]])));
      const wanted = made.meant.map((row) =>
        sorted(present(row).map(([name, one]) => [name, [typeOf(one), shown(one)]])),
      );
      expect(read).toEqual(wanted);
    });
  });

  it('from html, as one cell for each column and no other element', async () => {
    await holds(async (made) => {
      const page = await written('html', made);
      const table = page.slice(page.indexOf('<table>'));
      const columns = table.match(/<th scope="col">/g)?.length ?? 0;
      expect(table.match(/<td( class="number")?>/g)?.length ?? 0).toBe(columns * made.rows.length);
      const bare = table.replace(/<\/?(?:table|thead|tbody|tr|th|td|body|html)(?: scope="col"| class="number")?>/g, '');
      expect(bare).not.toMatch(/[<>]/);
    });
  });
});

const isText = (one: Value) => typeof one === 'string' || one instanceof Temporal.Instant || one instanceof Uint8Array;
const jsonOf = (one: Value) => (isText(one) ? JSON.stringify(shown(one)) : shown(one));
