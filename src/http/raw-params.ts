// What a request gives, before any meaning: names and values of a query string, a form or a JSON body. Decoding is
// our own because URLSearchParams mends bad UTF-8 silently and JSON.parse hides repeated names and the digits of numbers; and
// it is done in slices, because a body may be large.

import { type ApiError, malformedBody, malformedRequest, tooManyValues } from '#contract/errors.ts';
import type { Json } from '#kernel/canonical-json.ts';
import { MalformedJson, parseSliced, TooManyValues } from '#kernel/sliced-json.ts';
import { formPairs } from './form-pairs.ts';

/** A JSON number as it was written: 99999999999999999999 and 1.0 keep their digits. */
export class NumberText {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

/** One given value: text of a form or query string, or a value of a JSON body. JSON null counts as not given. */
export type RawValue = string | NumberText | boolean | readonly Json[] | { readonly [key: string]: Json };

/** All values by name, in the order given. */
export type RawParams = ReadonlyMap<string, readonly RawValue[]>;

export const NO_PARAMS: RawParams = new Map();

export interface DecodeOptions {
  /** More values than this are refused: the setting `body-values`. */
  readonly values: number;
  /** Values of other names are dropped, once they are known to be well-formed. */
  isKnown(name: string): boolean;
}

/** Work in slices, for `inTurns`. */
export type Decoding = Generator<undefined, RawParams>;

const MAX_DEPTH = 100;
/** JSON text beyond this is read in slices; what must be read at once, inside of a reader, is no longer. */
export const MAX_TEXT_AT_ONCE = 32 * 1024;

export const givenInQuery = (query: string, options: DecodeOptions): Decoding =>
  givenInPairs(Buffer.from(query), malformedRequest, options);

export const givenInForm = (body: Buffer, options: DecodeOptions): Decoding =>
  givenInPairs(withoutMark(body), malformedBody, options);

export function* givenInJson(body: Buffer, { values, isKnown }: DecodeOptions): Decoding {
  const givens = new Map<string, RawValue[]>();
  const sink = (name: string, value: Json, source: string | undefined) => {
    const given = isKnown(name) ? parseRawParams(value, source) : undefined;
    if (given !== undefined) addTo(givens, name, given);
  };
  const text = utf8(body);
  yield;
  try {
    const whole = yield* parseSliced(text, { depth: MAX_DEPTH, values }, sink);
    if (whole === null || typeof whole !== 'object' || Array.isArray(whole)) throw malformedBody();
    return givens;
  } catch (cause) {
    if (cause instanceof TooManyValues) throw Object.assign(tooManyValues(values), { cause });
    throw cause instanceof MalformedJson ? Object.assign(malformedBody(), { cause }) : cause;
  }
}

/** JSON text that stands in one value, held to the rules of a JSON body; undefined when it is none. */
export function* jsonTextWithin(text: string, values: number): Generator<undefined, Json | undefined> {
  try {
    return yield* parseSliced(text, { depth: MAX_DEPTH, values });
  } catch (cause) {
    if (cause instanceof TooManyValues) throw Object.assign(tooManyValues(values), { cause });
    if (cause instanceof MalformedJson) return undefined;
    throw cause;
  }
}

/** The same at once. Longer texts were read before a reader sees them, where they are JSON. */
export function jsonWithin(text: string): Json | undefined {
  if (text.length > MAX_TEXT_AT_ONCE) return undefined;
  const steps = jsonTextWithin(text, MAX_TEXT_AT_ONCE);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** A value of JSON as one that was given; undefined for null, which counts as not given. */
export function parseRawParams(value: Json, source?: string): RawValue | undefined {
  if (source !== undefined) return new NumberText(source);
  if (typeof value === 'number') return new NumberText(String(value));
  return value ?? undefined;
}

function* givenInPairs(bytes: Buffer, refusal: () => ApiError, { values, isKnown }: DecodeOptions): Decoding {
  const givens = new Map<string, RawValue[]>();
  let count = 0;
  for (const pair of formPairs(bytes, refusal)) {
    if (!pair) {
      yield;
      continue;
    }
    count += 1;
    if (count > values) throw tooManyValues(values);
    if (isKnown(pair.name)) addTo(givens, pair.name, pair.value);
  }
  return givens;
}

function addTo(givens: Map<string, RawValue[]>, name: string, value: RawValue): void {
  const values = givens.get(name);
  if (values) values.push(value);
  else givens.set(name, [value]);
}

/** Without the mark that some programs write at the beginning of a text. */
const withoutMark = (body: Buffer): Buffer =>
  body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body;

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw Object.assign(malformedBody(), { cause });
  }
}
