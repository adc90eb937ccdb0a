// Raw parameters: names and values of a query string, a form or a JSON body, not yet interpreted. The decoder is our
// own because URLSearchParams silently repairs bad UTF-8 and JSON.parse hides repeated names and the digits of numbers;
// it works in slices, because a body may be large.

import { type ApiError, malformedBody, malformedRequest, tooManyValues } from '#contract/errors.ts';
import type { Json } from '#kernel/json/canonical-json.ts';
import { MalformedJson, TooManyValues } from '#kernel/json/json-form.ts';
import { parseSliced } from '#kernel/json/sliced-json.ts';
import { formPairs } from './form-pairs.ts';

/** A JSON number as written: 99999999999999999999 and 1.0 keep their digits. */
export class NumberText {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

/** Text of a form or query string, or a value of a JSON body. JSON null counts as absent. */
export type RawValue = string | NumberText | boolean | readonly Json[] | { readonly [key: string]: Json };

/** All values by name, in the order of the request. */
export type RawParams = ReadonlyMap<string, readonly RawValue[]>;

export const NO_PARAMS: RawParams = new Map();

export interface DecodeOptions {
  /** Maximum number of values: the setting `body-values`. */
  readonly values: number;
  /** Values of unknown names are dropped, once they are known to be well-formed. Must not look a name up in an object. */
  isKnown(name: string): boolean;
}

/** Sliced work, for `eventLoop.runInSlots`. */
export type Decoding = Generator<undefined, RawParams>;

const MAX_DEPTH = 100;
/** Longer JSON text is parsed in slices; text that a reader must parse at once is never longer. */
export const MAX_TEXT_AT_ONCE = 32 * 1024;

export const parseQueryString = (query: string, options: DecodeOptions): Decoding =>
  parsePairs(Buffer.from(query), malformedRequest, options);

export const parseForm = (body: Buffer, options: DecodeOptions): Decoding =>
  parsePairs(withoutByteOrderMark(body), malformedBody, options);

export function* parseJsonBody(body: Buffer, { values, isKnown }: DecodeOptions): Decoding {
  const rawParams = new Map<string, RawValue[]>();
  const sink = (name: string, value: Json, source: string | undefined) => {
    const raw = isKnown(name) ? rawValueOf(value, source) : undefined;
    if (raw !== undefined) addTo(rawParams, name, raw);
  };
  const text = utf8(body);
  yield;
  try {
    const whole = yield* parseSliced(text, { depth: MAX_DEPTH, values }, sink);
    if (whole === null || typeof whole !== 'object' || Array.isArray(whole)) throw malformedBody();
    return rawParams;
  } catch (cause) {
    if (cause instanceof TooManyValues) throw Object.assign(tooManyValues(values), { cause });
    throw cause instanceof MalformedJson ? Object.assign(malformedBody(), { cause }) : cause;
  }
}

/** JSON text in one value, under the rules of a JSON body; undefined when it is not JSON. */
export function* jsonTextWithin(text: string, values: number): Generator<undefined, Json | undefined> {
  try {
    return yield* parseSliced(text, { depth: MAX_DEPTH, values });
  } catch (cause) {
    if (cause instanceof TooManyValues) throw Object.assign(tooManyValues(values), { cause });
    if (cause instanceof MalformedJson) return undefined;
    throw cause;
  }
}

/** The same at once. Longer texts were parsed before a reader sees them. */
export function jsonWithin(text: string): Json | undefined {
  if (text.length > MAX_TEXT_AT_ONCE) return undefined;
  const steps = jsonTextWithin(text, MAX_TEXT_AT_ONCE);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The raw value of a JSON value; undefined for null, which counts as absent. */
export function rawValueOf(value: Json, source?: string): RawValue | undefined {
  if (source !== undefined) return new NumberText(source);
  if (typeof value === 'number') return new NumberText(String(value));
  return value ?? undefined;
}

function* parsePairs(bytes: Buffer, refusal: () => ApiError, { values, isKnown }: DecodeOptions): Decoding {
  const rawParams = new Map<string, RawValue[]>();
  let count = 0;
  for (const pair of formPairs(bytes, refusal)) {
    if (!pair) {
      yield;
      continue;
    }
    count += 1;
    if (count > values) throw tooManyValues(values);
    if (isKnown(pair.name)) addTo(rawParams, pair.name, pair.value);
  }
  return rawParams;
}

function addTo(rawParams: Map<string, RawValue[]>, name: string, value: RawValue): void {
  const values = rawParams.get(name);
  if (values) values.push(value);
  else rawParams.set(name, [value]);
}

/** Without a byte order mark. */
const withoutByteOrderMark = (body: Buffer): Buffer =>
  body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body;

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw Object.assign(malformedBody(), { cause });
  }
}
