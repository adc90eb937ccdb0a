// Parameters that are JSON: text in one form value, or the value itself in a JSON body.

import * as refuse from '#contract/errors.ts';
import { isGuid } from '#kernel/guid.ts';
import type { Json } from '#kernel/json/canonical-json.ts';
import { isWithinBytes, roundNumbersWithin } from '#kernel/json/json-size.ts';
import { keysOf } from '#kernel/json/large-objects.ts';
import { jsonWithin, NumberText, type RawValue, rawValueOf } from '#operations/requests/raw-params.ts';
import { maskingSecrets } from './masked-members.ts';
import {
  flag,
  guid,
  type InputOf,
  type JsonSchema,
  type Params,
  type ReadContext,
  type Reader,
  single,
} from './params.ts';
import type { SentOf } from './sent.ts';

/** Of the JSON text of a value that is kept with an object. */
const MAX_JSON_BYTES = 64 * 1024;
const MAX_ARRAY_BYTES = 1024 * 1024;

export type JsonObject = { readonly [key: string]: Json };

/** Reads one item of an array, or the whole of a value. */
type JsonReader<T> = (value: Json, name: string, context: ReadContext) => T;

declare const SENT: unique symbol;

/** One that says what it reads; `W` is what a client sends. */
interface DescribedJsonReader<T, W = unknown> extends JsonReader<T> {
  readonly schema: JsonSchema;
  readonly [SENT]?: W;
}

/** What two readers read, one of them at a time. */
export const eitherReader = <A, B>(
  one: DescribedJsonReader<unknown, A>,
  other: DescribedJsonReader<unknown, B>,
): Pick<DescribedJsonReader<unknown, A | B>, 'schema' | typeof SENT> => ({
  schema: { anyOf: [one.schema, other.schema] },
});

/** A reader of the same as another one, which makes something else of it. */
export const reading = <T, W>(
  { schema }: Pick<DescribedJsonReader<unknown, W>, 'schema' | typeof SENT>,
  read: JsonReader<T>,
): DescribedJsonReader<T, W> =>
  Object.assign((value: Json, name: string, context: ReadContext) => read(value, name, context), { schema });

export const map = asText(json({ type: 'object' }, objectOf));

/** Says to the compiler that a client may send the JSON as text. */
export function asText<T, W = Exclude<T, undefined>>(reader: Reader<T>): Reader<T, W | string> {
  return reader as Reader<T, W | string>;
}

/** As `map` of at most `maxBytes`; numbers that no double holds exactly are raw JSON. */
export const exactMap = (maxBytes: number) =>
  asText(
    readAsJson({ type: 'object' }, (given, name) => {
      const value = objectOf(exactJsonOf(given, name), name);
      if (!isWithinBytes(value, maxBytes)) throw refuse.tooManyBytes(name, maxBytes);
      return value;
    }),
  );

/** Maps in a list, each as `exactMap` reads one. */
export const exactMaps = (most: number, example: readonly object[]): Reader<readonly JsonObject[] | undefined> =>
  readAsJson({ type: 'array', items: { type: 'object' }, maxItems: most, examples: [example] }, (given, name) => {
    const value = exactJsonOf(given, name);
    if (!Array.isArray(value)) throw refuse.notJson(name);
    if (value.length > most) throw refuse.tooManyItems(name, most);
    return value.map((item: Json) => objectOf(item, name));
  });

interface TextMapLimits {
  readonly keys: number;
  /** Of its JSON text. */
  readonly bytes: number;
}

/** A map of text to text. */
export const textMap = ({ keys, bytes }: TextMapLimits): Reader<Readonly<Record<string, string>> | undefined> =>
  json(
    { type: 'object', additionalProperties: { type: 'string' }, maxProperties: keys, examples: [{ page: '1' }] },
    (value, name) => {
      const entries: [string, string][] = [];
      const object = objectOf(value, name);
      for (const key of keysOf(object)) {
        const text = object[key];
        if (typeof text !== 'string') throw refuse.notJson(name);
        if (entries.push([key, text]) > keys) throw refuse.tooManyItems(name, keys);
      }
      return Object.fromEntries(entries);
    },
    bytes,
  );

/** What a client may keep with a query. */
export const tags = textMap({ keys: 100, bytes: 64 * 1024 });

/** A JSON value that `shape` makes something of, and that is kept with an object. */
export function json<T>(schema: JsonSchema, shape: JsonReader<T>, mostBytes = MAX_JSON_BYTES): Reader<T | undefined> {
  return readAsJson(schema, (given, name, context) => {
    const exact = exactJsonOf(given, name);
    const value = roundNumbersWithin(exact, mostBytes);
    // Whatever its size: the complaints of the shape come first.
    const shaped = shape(value ?? exact, name, context);
    if (value === undefined) throw refuse.tooManyBytes(name, mostBytes);
    return shaped;
  });
}

/** As `single`, of something that is JSON when it is given as text. Secrets among its values are not written down. */
function readAsJson<T>(
  schema: JsonSchema,
  parse: (given: RawValue, name: string, context: ReadContext) => T,
): Reader<T | undefined> {
  return { ...single(schema, parse), isJson: true, shown: maskingSecrets() };
}

export function array<T, W>(
  schema: JsonSchema,
  item: DescribedJsonReader<T, W>,
): Reader<readonly T[] | undefined, readonly W[] | string> {
  const reader = readAsJson({ type: 'array', items: item.schema, ...schema }, (given, name, context) =>
    arrayOf(given, name).map((one) => item(one, name, context)),
  );
  return asText<readonly T[] | undefined, readonly W[]>(reader);
}

/** Its size is looked at before its items, which takes longer. */
function arrayOf(given: RawValue, name: string): readonly Json[] {
  const exact = exactJsonOf(given, name);
  if (!Array.isArray(exact)) throw refuse.notJson(name);
  const value = roundNumbersWithin(exact, MAX_ARRAY_BYTES);
  if (!Array.isArray(value)) throw refuse.tooManyBytes(name, MAX_ARRAY_BYTES);
  return value;
}

/** An object whose members are read like parameters. Complaints name the member, as in `fields.name`. */
export function members<P extends Params>(params: P): DescribedJsonReader<InputOf<P>, SentOf<P>> {
  return reading<InputOf<P>, SentOf<P>>({ schema: membersSchema(params) }, (value, name, context) => {
    const object = objectOf(value, name);
    const input: Record<string, unknown> = {};
    for (const [key, reader] of Object.entries(params)) {
      const member = Object.hasOwn(object, key) ? object[key] : undefined;
      if (reader.isJson && typeof member === 'string') spendInnerJson(member, `${name}.${key}`, context);
      input[key] = reader.read(valueGiven(member), `${name}.${key}`, context, input);
    }
    return input as InputOf<P>; // Each member was read by the reader that its type comes from.
  });
}

function membersSchema(params: Params): JsonSchema {
  const entries = Object.entries(params);
  const required = entries.filter(([, { isRequired }]) => isRequired).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
    ...(required.length === 0 ? {} : { required }),
  };
}

function spendInnerJson(text: string, name: string, { innerJson }: ReadContext): void {
  if (!innerJson) return;
  innerJson.left -= text.length;
  if (innerJson.left < 0) throw refuse.notJson(name);
}

export interface Grant {
  readonly guid: string;
  readonly readOnly: boolean;
}

type SentGrant = string | { readonly guid: string; readonly read_only?: boolean };

/** `[{guid, read_only}]`; a bare GUID is a grant to read. An empty array takes all grants away. */
export const grants = readAsJson<readonly Grant[]>(
  {
    type: 'array',
    items: {
      anyOf: [
        {
          type: 'object',
          properties: {
            guid: { ...guid.schema, description: 'GUID of the user or user group.' },
            read_only: { ...flag.schema, default: true, description: 'Whether the grant is for reading alone.' },
          },
          required: ['guid'],
        },
        guid.schema,
      ],
    },
    $comment: 'Each item is `{guid, read_only}`, or a GUID to read only.',
  },
  (given, name, context) => {
    if (typeof given === 'string' && isGuid(given)) return [grantOf(given, name, context)];
    return arrayOf(given, name).map((item) => grantOf(item, name, context));
  },
) as Reader<readonly Grant[] | undefined, readonly SentGrant[]>; // What `grantOf` reads.

function grantOf(item: Json, name: string, context: ReadContext): Grant {
  const grant: JsonObject = typeof item === 'string' ? { guid: item } : objectOf(item, name);
  const holder = guid.read(valueGiven(grant.guid), name, context);
  if (holder === undefined) throw refuse.notGuid(name);
  return { guid: holder, readOnly: flag.read(valueGiven(grant.read_only), name, context) ?? true };
}

function objectOf(value: Json, name: string): JsonObject {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw refuse.notJson(name);
  return value as JsonObject; // Array.isArray does not narrow a readonly array away.
}

function exactJsonOf(given: RawValue, name: string): Json {
  if (given instanceof NumberText) return Number(given.digits);
  if (typeof given !== 'string') return given;
  const value = jsonWithin(given);
  if (value === undefined) throw refuse.notJson(name);
  return value;
}

/** A JSON value inside another one as if it had been given by itself. */
function valueGiven(value: Json | undefined): readonly RawValue[] {
  const given = value === undefined ? undefined : rawValueOf(value);
  return given === undefined ? [] : [given];
}
