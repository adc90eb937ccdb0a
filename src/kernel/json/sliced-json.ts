// JSON parsed in slices: a body of many megabytes does not block the main thread. Numbers that no double holds exactly
// stay raw JSON, and text that no database can store is rejected.

import { isStorableText } from '#kernel/text/storable-text.ts';
import type { Json } from './canonical-json.ts';
import { exactNumber, isRawNumber } from './exact-json.ts';
import { type JsonLimits, JsonReader, MalformedJson } from './json-reader.ts';
import { addKey, attachKeys, MIN_LARGE_MEMBERS, setMember } from './large-objects.ts';

/** Called for each member of the outermost object, in order, also repeated ones. `source` is the text of a number. */
export type MemberSink = (name: string, value: Json, source: string | undefined) => void;

/** Yields often enough for slices of a few milliseconds. Throws MalformedJson or TooManyValues. */
export const parseSliced = (text: string, limits: JsonLimits, sink?: MemberSink): Generator<undefined, Json> =>
  new StoredReader(text, limits, sink).slices();

/** Whether the text is well-formed JSON of any depth and number of values; builds no value. */
export function* isJsonSliced(text: string): Generator<undefined, boolean> {
  try {
    yield* new JsonCheck(text, ANY).slices();
    return true;
  } catch (error) {
    if (error instanceof MalformedJson) return false;
    throw error;
  }
}

export type NumberKind = 'doubles' | 'exact';

/** Any well-formed text, also one that no database can store. */
export const parsePlain = (text: string, numbers: NumberKind): Json => new PlainReader(text, numbers).whole();

const ANY: JsonLimits = { depth: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY };

/** V8 has one hash for all longer texts of one length: an object with many such names takes minutes to build. */
export const MAX_HASHED_CHARACTERS = 16_383;

type JsonObject = Record<string, Json>;

class PlainReader extends JsonReader<Json, Json[], JsonObject> {
  readonly #numbers: NumberKind;

  constructor(text: string, numbers: NumberKind, limits = ANY) {
    super(text, limits);
    this.#numbers = numbers;
  }

  protected override openList(): Json[] {
    return [];
  }

  protected override openMap(): JsonObject {
    return {};
  }

  protected override element(list: Json[], value: Json): void {
    list.push(value);
  }

  protected override member(object: JsonObject, key: string, value: Json, members: number): void {
    if (members >= MIN_LARGE_MEMBERS) addKey(object, key);
    setMember(object, key, value);
    if (members + 1 === MIN_LARGE_MEMBERS) attachKeys(object, Object.keys(object));
  }

  protected override word(value: boolean | null): Json {
    return value;
  }

  protected override fewDigits(value: number): Json {
    return value;
  }

  protected override number(digits: string): Json {
    const value = Number(digits);
    return this.#numbers === 'doubles' ? value : exactNumber(value, digits);
  }

  protected override string(text: string): Json {
    return text;
  }
}

class StoredReader extends PlainReader {
  readonly #sink: MemberSink | undefined;

  constructor(text: string, limits: JsonLimits, sink: MemberSink | undefined) {
    super(text, 'exact', limits);
    this.#sink = sink;
  }

  protected override member(object: JsonObject, key: string, value: Json, members: number): void {
    if (!this.#sink || this.depth > 1) super.member(object, key, value, members);
    else this.#sink(key, value, isNumber(value) ? this.text.slice(this.begin, this.at) : undefined);
  }

  protected override key(text: string): string {
    if (text.length > MAX_HASHED_CHARACTERS) throw this.malformed('json-key', this.begin);
    return this.string(text);
  }

  protected override string(text: string): string {
    if (!isStorableText(text)) throw this.malformed('json-string', this.begin);
    return text;
  }
}

const isNumber = (value: Json): boolean => typeof value === 'number' || isRawNumber(value);

/** Makes the same of every value. */
class JsonCheck extends JsonReader<true, true, true> {
  protected override openList(): true {
    return true;
  }

  protected override openMap(): true {
    return true;
  }

  protected override element(): void {}

  protected override member(): void {}

  protected override word(): true {
    return true;
  }

  protected override fewDigits(): true {
    return true;
  }

  protected override number(): true {
    return true;
  }

  protected override string(): true {
    return true;
  }
}
