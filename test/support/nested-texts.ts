// Generated texts of records with objects in them. Those of a template have the same keys, and a few values for each leaf.

import fc from 'fast-check';
import { parseExactly } from '#kernel/json/parse-json.ts';
import type { Fields } from '#logs/log-store.ts';

export interface NestedText {
  /** Members without the braces; records of different numbers may have different values. */
  members(at: number): string;
  /** Of all values, objects among them. */
  readonly paths: readonly (readonly string[])[];
}

type Leaf = readonly string[];
type Members = readonly (readonly [string, Leaf | { readonly members: Members }])[];

/** Names that differ by case alone, look like a path, or mean something elsewhere. */
const FIELDS = ['a', 'b', 'A', 'a.b', 'a.b.a', '한글', 'x y', "it's", '0', '-', '__proto__', 's/t', '_shape'];
const KEYS = ['a', 'b', 'A', 'a.b', '한글', '_rest', '_shape', '0', '__proto__', 'q"', 's/t', ''];

const PLAIN = ['1', '0', '-3', '2.5', '"x"', '"5"', '""', 'true', 'false'];
const UNUSUAL = ['null', '{}', '[]', '[1,{"a":null}]', '9007199254740993', '"null"', '"é\\n\\"\\\\ x"'];
/** Not told apart from other forms where a field of one type has them; inside of objects all come back as they came. */
const FORMS = [
  '1.0',
  '1e3',
  '-0',
  '0.1',
  '1e-7',
  '-9223372036854775808',
  '123456789012345678901234567890',
  '"\\u00e9\\/"',
];

const leafOf = (unusual: readonly string[]): fc.Arbitrary<Leaf> => {
  const value = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...PLAIN) },
    { weight: 1, arbitrary: fc.constantFrom(...unusual) },
  );
  return fc.array(value, { minLength: 1, maxLength: 3 });
};

const { object } = fc.letrec<{ object: { readonly members: Members }; value: Leaf | { readonly members: Members } }>(
  (tie) => ({
    value: fc.oneof({ maxDepth: 3, withCrossShrink: true }, leafOf([...UNUSUAL, ...FORMS]), tie('object')),
    object: membersOf(KEYS, tie('value')).map((members) => ({ members })),
  }),
);

function membersOf(keys: readonly string[], value: fc.Arbitrary<Members[number][1]>): fc.Arbitrary<Members> {
  const member = fc.tuple(fc.constantFrom(...keys), value);
  return fc.uniqueArray(member, { selector: ([key]) => key, minLength: 1, maxLength: 4 });
}

/** Two of three fields are objects. */
export const nestedText: fc.Arbitrary<NestedText> = membersOf(
  FIELDS,
  fc.oneof({ weight: 2, arbitrary: object }, { weight: 1, arbitrary: leafOf(UNUSUAL) }),
).map((members) => ({ members: (at) => membersText(members, at), paths: pathsOf(members, []) }));

const membersText = (members: Members, at: number): string =>
  members.map(([key, value]) => `${JSON.stringify(key)}:${valueText(value, at)}`).join(',');

const valueText = (value: Members[number][1], at: number): string =>
  'members' in value ? `{${membersText(value.members, at)}}` : (value[at % value.length] ?? 'null');

const pathsOf = (members: Members, path: readonly string[]): (readonly string[])[] =>
  members.flatMap(([key, value]) => {
    const own = [...path, key];
    return 'members' in value ? [own, ...pathsOf(value.members, own)] : [own];
  });

/** With blanks between keys and values that were not there. */
export const spaced = (line: string): string =>
  line.replaceAll(/"(?:[^"\\]|\\.)*"|[,:{}]/g, (piece) => (piece.length === 1 ? ` ${piece} ` : piece)).trim();

/** A member of a record that did not come back as it was pushed; the records are numbered in their field `n`. */
export function changedMember(texts: readonly string[], rows: readonly Fields[]): string | undefined {
  const read = new Map(rows.map((row) => [Number(row.n), row]));
  if (read.size !== texts.length) return `${read.size} records, not ${texts.length}`;
  for (const [number, text] of texts.entries()) {
    for (const [name, value] of Object.entries(parseExactly(text) as object)) {
      const found = JSON.stringify(read.get(number)?.[name] ?? null);
      if (found !== JSON.stringify(value)) return `${text}\n  ${name} is ${found}`;
    }
  }
  return undefined;
}
