// What a request gives, before any meaning: names and values of a query string, a form or a JSON body. Decoding is
// our own because URLSearchParams mends bad UTF-8 silently and JSON.parse hides repeated names and the digits of numbers.

import { malformedBody, malformedRequest, type Refusal } from '#contract/errors.ts';
import type { Json } from '#kernel/canonical-json.ts';
import { parseExactly } from '#kernel/exact-json.ts';
import { scanObject } from '#kernel/json-members.ts';
import { isSoundJson, isSoundText } from '#kernel/sound-text.ts';

/** A JSON number as it was written: 99999999999999999999 and 1.0 keep their digits. */
export class NumberText {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

/** One given value: text of a form or query string, or a value of a JSON body. JSON null counts as not given. */
export type Given = string | NumberText | boolean | readonly Json[] | { readonly [key: string]: Json };

/** All values by name, in the order given. */
export type Givens = ReadonlyMap<string, readonly Given[]>;

export const NOTHING_GIVEN: Givens = new Map();

const MOST_DEPTH = 100;

export const givenInQuery = (query: string): Givens => decodeForm(query, malformedRequest);

export const givenInForm = (body: Uint8Array): Givens => decodeForm(utf8(body, malformedBody), malformedBody);

export function givenInJson(body: Uint8Array): Givens {
  const text = utf8(body, malformedBody);
  const members = membersOf(text);
  const givens = new Map<string, Given[]>();
  for (const [key, source] of members) {
    const value = givenOf(source);
    if (value !== undefined) addTo(givens, key, value);
  }
  return givens;
}

/** JSON text that stands in one value, held to the rules of a JSON body; undefined when it is none. */
export function jsonWithin(text: string): Json | undefined {
  try {
    if (scanObject(text).deepest > MOST_DEPTH) return undefined;
    const value = parsed(text);
    return isSoundJson(value, text) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Decodes percent-escapes. `plus` says whether `+` stands for a blank. */
export function decoded(text: string, refusal: () => Refusal, plus = false): string {
  const spaced = plus ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return sound(spaced, refusal);
  if (/%(?![0-9a-f]{2})/i.test(spaced)) throw refusal();
  try {
    return sound(decodeURIComponent(spaced), refusal);
  } catch (cause) {
    throw Object.assign(refusal(), { cause });
  }
}

function decodeForm(text: string, refusal: () => Refusal): Givens {
  const givens = new Map<string, Given[]>();
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = equals === -1 ? pair : pair.slice(0, equals);
    const value = equals === -1 ? '' : pair.slice(equals + 1);
    addTo(givens, decoded(name, refusal, true), decoded(value, refusal, true));
  }
  return givens;
}

function addTo(givens: Map<string, Given[]>, name: string, value: Given): void {
  const values = givens.get(name);
  if (values) values.push(value);
  else givens.set(name, [value]);
}

function utf8(bytes: Uint8Array, refusal: () => Refusal): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw Object.assign(refusal(), { cause });
  }
}

function sound(text: string, refusal: () => Refusal): string {
  if (!isSoundText(text)) throw refusal();
  return text;
}

/** The members of the one JSON object that `text` is, each value as it is written. */
function membersOf(text: string): [key: string, source: string][] {
  const { deepest, members } = scanObject(text);
  if (deepest > MOST_DEPTH) throw malformedBody();
  const whole = parsed(text);
  if (whole === null || typeof whole !== 'object' || Array.isArray(whole)) throw malformedBody();
  if (!isSoundJson(whole, text)) throw malformedBody();
  return members.map(([key, source]) => [JSON.parse(key), source]);
}

/** Numbers that no double holds exactly are raw JSON. */
function parsed(text: string): Json {
  try {
    return parseExactly(text) as Json;
  } catch (cause) {
    throw Object.assign(malformedBody(), { cause });
  }
}

function givenOf(source: string): Given | undefined {
  if (/^[-\d]/.test(source)) return new NumberText(source);
  const value = parsed(source);
  // Numbers were taken out above; null counts as not given.
  return value === null || typeof value === 'number' ? undefined : value;
}
