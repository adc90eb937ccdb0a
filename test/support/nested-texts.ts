// Generated texts of records with objects in them. Those of a template have mostly the same keys, and a few values for each leaf; some
// members are optional, and some values become others of another kind halfway.

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
type Value = Leaf | { readonly members: Members } | { readonly before: Value; readonly after: Value };
type Members = readonly Member[];

interface Member {
  readonly key: string;
  readonly value: Value;
  /** One of so many records has it. */
  readonly every: number;
}

/** The number of the record from which on values are of another kind. */
const HALFWAY = 60;

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

const USUAL_KEYS = ['a', 'b', 'c', 'A', 'a.b', '한글'];

const { object } = fc.letrec<{ object: { readonly members: Members }; value: Value }>((tie) => ({
  value: fc.oneof({ maxDepth: 3, withCrossShrink: true }, leafOf([...UNUSUAL, ...FORMS]), tie('object')),
  object: membersOf(oftenOf(USUAL_KEYS, KEYS), turning(tie('value'))).map((members) => ({ members })),
}));

/** One of eight changes its kind. */
function turning(value: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  const changed = fc.record({ before: value, after: value });
  return fc.oneof({ weight: 7, arbitrary: value }, { weight: 1, arbitrary: changed });
}

function oftenOf(usual: readonly string[], all: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...all) },
  );
}

function membersOf(keys: fc.Arbitrary<string>, value: fc.Arbitrary<Value>): fc.Arbitrary<Members> {
  const member = fc.record({ key: keys, value, every: fc.constantFrom(1, 1, 1, 1, 2, 3) });
  return fc.uniqueArray(member, { selector: ({ key }) => key, minLength: 1, maxLength: 4 });
}

/** Two of three fields are objects. */
export const nestedText: fc.Arbitrary<NestedText> = membersOf(
  oftenOf(['a', 'b', 'A', 'a.b', '한글'], FIELDS),
  turning(fc.oneof({ weight: 2, arbitrary: object }, { weight: 1, arbitrary: leafOf(UNUSUAL) })),
).map((members) => ({ members: (at) => membersText(members, at), paths: pathsOf(members, []) }));

/** A record has at least one member. */
const membersText = (members: Members, at: number): string =>
  members
    .filter(({ every }, index) => index === 0 || Math.floor(at / 2) % every === 0)
    .map(({ key, value }) => `${JSON.stringify(key)}:${valueText(value, at)}`)
    .join(',');

function valueText(value: Value, at: number): string {
  if ('before' in value) return valueText(at < HALFWAY ? value.before : value.after, at);
  return 'members' in value ? `{${membersText(value.members, at)}}` : (value[at % value.length] ?? 'null');
}

const pathsOf = (members: Members, path: readonly string[]): (readonly string[])[] =>
  members.flatMap(({ key, value }) => [[...path, key], ...innerPaths(value, [...path, key])]);

function innerPaths(value: Value, path: readonly string[]): (readonly string[])[] {
  if ('before' in value) return [...innerPaths(value.before, path), ...innerPaths(value.after, path)];
  return 'members' in value ? pathsOf(value.members, path) : [];
}

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
