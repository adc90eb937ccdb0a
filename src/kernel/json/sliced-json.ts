// JSON parsed in slices: a body of many megabytes does not block the main thread. Numbers that no double holds exactly
// stay raw JSON, and text that no database can store is rejected.

import { isStorableText } from '#kernel/text/storable-text.ts';
import type { Json } from './canonical-json.ts';
import { exactNumber, isRawNumber } from './exact-json.ts';
import { type JsonForm, type JsonLimits, MalformedJson, malformed } from './json-form.ts';
import { JsonReader } from './json-reader.ts';
import { addKey, attachKeys, MIN_LARGE_MEMBERS, setMember } from './large-objects.ts';

/** Called for each member of the outermost object, in order, also repeated ones. `source` is the text of a number. */
export type MemberSink = (name: string, value: Json, source: string | undefined) => void;

/** Yields often enough for slices of a few milliseconds. Throws MalformedJson or TooManyValues. */
export const parseSliced = (text: string, limits: JsonLimits, sink?: MemberSink): Generator<undefined, Json> =>
  new JsonReader(text, storedForm(limits, sink)).slices();

/** Whether the text is well-formed JSON of any depth and number of values; builds no value. */
export function* isJsonSliced(text: string): Generator<undefined, boolean> {
  try {
    yield* new JsonReader(text, CHECK).slices();
    return true;
  } catch (error) {
    if (error instanceof MalformedJson) return false;
    throw error;
  }
}

export type NumberKind = 'doubles' | 'exact';

/** Any well-formed text, also one that no database can store. */
export const parsePlain = (text: string, numbers: NumberKind): Json => new JsonReader(text, PLAIN[numbers]).whole();

const ANY: JsonLimits = { depth: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY };

/** V8 has one hash for all longer texts of one length: an object with many such names takes minutes to build. */
export const MAX_HASHED_CHARACTERS = 16_383;

type JsonObject = Record<string, Json>;

const plainForm = (numbers: NumberKind): JsonForm<Json, JsonObject> => ({
  limits: ANY,
  grammar: 'strict',
  openMap: () => ({}),
  member(object, key, value, _reader, members) {
    if (members >= MIN_LARGE_MEMBERS) addKey(object, key);
    setMember(object, key, value);
    if (members + 1 === MIN_LARGE_MEMBERS) attachKeys(object, Object.keys(object));
  },
  closed: (object) => object,
  fewDigits: (value) => value,
  number: numbers === 'doubles' ? Number : (digits) => exactNumber(Number(digits), digits),
});

const PLAIN: Readonly<Record<NumberKind, JsonForm<Json, JsonObject>>> = {
  doubles: plainForm('doubles'),
  exact: plainForm('exact'),
};

const STORED: JsonForm<Json, JsonObject> = {
  ...PLAIN.exact,
  key(text, reader) {
    if (text.length > MAX_HASHED_CHARACTERS || !isStorableText(text)) throw malformed('json-key', reader.begin);
    return text;
  },
  string(text, reader) {
    if (!isStorableText(text)) throw malformed('json-string', reader.begin);
    return text;
  },
};

const storedForm = (limits: JsonLimits, sink: MemberSink | undefined): JsonForm<Json, JsonObject> => ({
  ...STORED,
  limits,
  member(object, key, value, reader, members) {
    if (!sink || reader.depth > 1) STORED.member(object, key, value, reader, members);
    else sink(key, value, isNumber(value) ? reader.text.slice(reader.begin, reader.at) : undefined);
  },
});

const isNumber = (value: Json): boolean => typeof value === 'number' || isRawNumber(value);

/** Keeps nothing. */
const CHECK: JsonForm<Json, null> = {
  limits: ANY,
  grammar: 'strict',
  openMap: () => null,
  member: () => undefined,
  closed: () => null,
  fewDigits: () => null,
  number: () => null,
  element: () => undefined,
};
