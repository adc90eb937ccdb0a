// Parameters that are JSON: text in one form value, or the value itself in a JSON body.

import * as refuse from '#contract/errors.ts';
import type { Json } from '#kernel/canonical-json.ts';
import { isRawNumber } from '#kernel/exact-json.ts';
import { isGuid } from '#kernel/guid.ts';
import { type Given, jsonWithin, NumberText } from './given.ts';
import { maskingSecrets } from './masked-members.ts';
import {
  type Circumstances,
  flag,
  guid,
  type InputOf,
  type JsonSchema,
  type Params,
  type Reader,
  single,
} from './params.ts';

export type JsonObject = { readonly [key: string]: Json };

/** What reads one item of an array, or the whole of a value. */
export type Shape<T> = (value: Json, name: string, circumstances: Circumstances) => T;

export const map: Reader<JsonObject | undefined> = json({ type: 'object' }, objectOf);

/** As `map`; numbers that no double holds exactly are raw JSON. */
export const exactMap: Reader<JsonObject | undefined> = {
  ...single({ type: 'object' }, (given, name) => objectOf(exactJsonOf(given, name), name)),
  shown: maskingSecrets(),
};

/** Maps in a list, each as `exactMap` reads one. */
export const exactMaps = (most: number, example: string): Reader<readonly JsonObject[] | undefined> => ({
  ...single({ type: 'array', items: { type: 'object' }, maxItems: most, examples: [example] }, (given, name) => {
    const value = exactJsonOf(given, name);
    if (!Array.isArray(value)) throw refuse.notJson(name);
    if (value.length > most) throw refuse.tooManyItems(name, most);
    return value.map((item: Json) => objectOf(item, name));
  }),
  shown: maskingSecrets(),
});

export interface TextMapLimits {
  readonly keys: number;
  /** Of its JSON text. */
  readonly bytes: number;
}

/** A map of text to text. */
export const textMap = ({ keys, bytes }: TextMapLimits): Reader<Readonly<Record<string, string>> | undefined> =>
  json(
    { type: 'object', additionalProperties: { type: 'string' }, maxProperties: keys, examples: ['{"page":"1"}'] },
    (value, name) => {
      const entries = Object.entries(objectOf(value, name)).map(([key, text]): [string, string] => {
        if (typeof text !== 'string') throw refuse.notJson(name);
        return [key, text];
      });
      if (entries.length > keys) throw refuse.tooManyItems(name, keys);
      if (Buffer.byteLength(JSON.stringify(value)) > bytes) throw refuse.tooManyBytes(name, bytes);
      return Object.fromEntries(entries);
    },
  );

/** What a client may keep with a query. */
export const tags = textMap({ keys: 100, bytes: 64 * 1024 });

/** A JSON value that `shape` makes something of. Secrets among its values are not written down. */
export function json<T>(schema: JsonSchema, shape: Shape<T>): Reader<T | undefined> {
  return {
    ...single(schema, (given, name, circumstances) => shape(jsonOf(given, name), name, circumstances)),
    shown: maskingSecrets(),
  };
}

export function array<T>(schema: JsonSchema, item: Shape<T>): Reader<readonly T[] | undefined> {
  return json({ type: 'array', ...schema }, (value, name, circumstances) => {
    if (!Array.isArray(value)) throw refuse.notJson(name);
    return value.map((one: Json) => item(one, name, circumstances));
  });
}

/** An object whose members are read like parameters. Complaints name the member, as in `fields.name`. */
export function members<P extends Params>(params: P): Shape<InputOf<P>> {
  return (value, name, circumstances) => {
    const object = objectOf(value, name);
    const input: Record<string, unknown> = {};
    for (const [key, reader] of Object.entries(params)) {
      const member = Object.hasOwn(object, key) ? object[key] : undefined;
      input[key] = reader.read(givenOf(member), `${name}.${key}`, circumstances, input);
    }
    return input as InputOf<P>; // Each member was read by the reader that its type comes from.
  };
}

export interface Grant {
  readonly guid: string;
  readonly readOnly: boolean;
}

/** `[{guid, read_only}]`; a bare GUID is a grant to read. An empty array takes all grants away. */
export const grants: Reader<readonly Grant[] | undefined> = single(
  { type: 'array', items: { type: 'object' }, description: 'each item `{guid, read_only}`, or a GUID to read only' },
  (given, name, circumstances) => {
    if (typeof given === 'string' && isGuid(given)) return [grantOf(given, name, circumstances)];
    const value = jsonOf(given, name);
    if (!Array.isArray(value)) throw refuse.notJson(name);
    return value.map((item: Json) => grantOf(item, name, circumstances));
  },
);

function grantOf(item: Json, name: string, circumstances: Circumstances): Grant {
  const grant: JsonObject = typeof item === 'string' ? { guid: item } : objectOf(item, name);
  const holder = guid.read(givenOf(grant.guid), name, circumstances);
  if (holder === undefined) throw refuse.notGuid(name);
  return { guid: holder, readOnly: flag.read(givenOf(grant.read_only), name, circumstances) ?? true };
}

function objectOf(value: Json, name: string): JsonObject {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw refuse.notJson(name);
  return value as JsonObject; // Array.isArray does not narrow a readonly array away.
}

const jsonOf = (given: Given, name: string): Json => rounded(exactJsonOf(given, name));

function exactJsonOf(given: Given, name: string): Json {
  if (given instanceof NumberText) return Number(given.digits);
  if (typeof given !== 'string') return given;
  const value = jsonWithin(given);
  if (value === undefined) throw refuse.notJson(name);
  return value;
}

/** With doubles for all numbers. */
function rounded(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (isRawNumber(value)) return Number(JSON.stringify(value));
  if (Array.isArray(value)) return value.map(rounded);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rounded(item)]));
}

/** A JSON value inside another one as if it had been given by itself. */
function givenOf(value: Json | undefined): readonly Given[] {
  if (value === null || value === undefined) return [];
  return [typeof value === 'number' ? new NumberText(String(value)) : value];
}
