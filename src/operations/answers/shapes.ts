// Shapes of answers. A shape is the JSON Schema of a value and, for the compiler, the type of that value: an operation
// declares its answer once, and `run` must return it.
//
//   export const tableRecord = record('Table', {
//     table_name: string('Name of the table.', 'web'),
//     retention: int32('Days that records are kept; 0 keeps them for ever.', 30),
//     group_guid: optional(guidText('GUID of the table group.')),
//     shared_users: arrayOf(grant)('Users that the table is granted to.'),
//   });
//   export type TableRecord = TypeOf<typeof tableRecord>;
//
// A shape is called with what it means in its place, in one sentence, and with an example where the one of its type says
// too little. A record with a name is a named schema of the OpenAPI document.

import type { Failure } from '#contract/partial-outcome.ts';
import type { Json } from '#kernel/json/canonical-json.ts';
import { describedSchema, type Meanings } from '#operations/described.ts';
import type { JsonObject } from '#operations/params/json-params.ts';
import type { JsonSchema } from '#operations/params/params.ts';

declare const TYPE: unique symbol;

/** A JSON Schema with the type that it describes; the type exists for the compiler alone. */
export interface Typed<out T = unknown> {
  readonly schema: JsonSchema;
  readonly [TYPE]?: T;
}

export interface Shape<T> extends Typed<T> {
  /** The same shape with its meaning in one place. */
  (meaning: string, example?: T): Described<T>;
}

/** A shape whose meaning is given. */
interface Described<T> extends Shape<T> {
  readonly meaning: string;
}

/** A field that is left out when it has no value. */
export interface Optional<out T = unknown> {
  readonly optional: Typed<T>;
}

export type TypeOf<S> = S extends Optional<infer T> ? T : S extends Typed<infer T> ? T : never;

type ShapeFields = Readonly<Record<string, Typed | Optional>>;

export type RecordOf<F extends ShapeFields> = Flat<
  { readonly [K in keyof F as F[K] extends Optional ? never : K]: TypeOf<F[K]> } & {
    readonly [K in keyof F as F[K] extends Optional ? K : never]?: TypeOf<F[K]>;
  }
>;

type Flat<T> = { readonly [K in keyof T]: T[K] };

export function shapeOf<T>(schema: JsonSchema): Shape<T> {
  const describe = (meaning: string, example?: T): Described<T> =>
    Object.assign(shapeOf<T>(describedSchema(schema, meaning, example)), { meaning });
  return Object.assign(describe, { schema });
}

export const optional = <T>(shape: Typed<T>): Optional<T> => ({ optional: shape });

export const isOptional = (field: Typed | Optional): field is Optional => 'optional' in field;

/** An object with these fields and no others; with a name it becomes a named schema. */
export function record<const F extends ShapeFields>(fields: F): Shape<RecordOf<F>>;
export function record<const F extends ShapeFields>(name: string, fields: F): Shape<RecordOf<F>>;
export function record<const F extends ShapeFields>(first: string | F, second?: F): Shape<RecordOf<F>> {
  const [title, fields] = typeof first === 'string' ? [{ title: first }, second ?? {}] : [{}, first];
  const entries = Object.entries(fields);
  const properties = Object.fromEntries(
    entries.map(([name, field]) => [name, isOptional(field) ? field.optional.schema : field.schema]),
  );
  const required = entries.filter(([, field]) => !isOptional(field)).map(([name]) => name);
  return shapeOf({ ...title, type: 'object', properties, ...(required.length === 0 ? {} : { required }) });
}

/** The fields, each without a meaning of its own with that of its name. */
export const describedFields = <F extends ShapeFields>(fields: F, meanings: Meanings): F =>
  // Names and types stay as they are.
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, meant(field, meanings[name])])) as F;

function meant(field: Typed | Optional, meaning: string | undefined): Typed | Optional {
  if (isOptional(field)) return { optional: meantShape(field.optional, meaning) };
  return meantShape(field, meaning);
}

const meantShape = (shape: Typed, meaning: string | undefined): Typed =>
  meaning === undefined || shape.schema.description !== undefined
    ? shape
    : shapeOf(describedSchema(shape.schema, meaning));

/** What the fields of a record mean: for parameters of the same names. */
export function meaningsOf({ schema }: Typed): Meanings {
  const fields = Object.entries((schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>); // A record's own.
  return Object.fromEntries(
    fields.flatMap(([name, { description }]) => (description ? [[name, String(description)]] : [])),
  );
}

export const arrayOf = <T>({ schema }: Typed<T>): Shape<readonly T[]> => shapeOf({ type: 'array', items: schema });

export const orNull = <T>({ schema }: Typed<T>): Shape<T | null> => {
  const { description, ...inner } = schema;
  const meant = description === undefined || inner.title !== undefined ? {} : { description };
  return shapeOf({ ...meant, anyOf: ['description' in meant ? inner : schema, { type: 'null' }] });
};

/** One text of a closed set. */
export const choice = <const V extends readonly string[]>(values: V): Shape<V[number]> =>
  shapeOf({ type: 'string', enum: values });

/** An object with values of one shape under keys that are not known beforehand. */
export const mapOf = <T>({ schema }: Typed<T>): Shape<Readonly<Record<string, T>>> =>
  shapeOf({ type: 'object', additionalProperties: schema });

/** One of several shapes. */
export const eitherOf = <const S extends readonly Typed[]>(...shapes: S): Shape<TypeOf<S[number]>> =>
  shapeOf({ anyOf: shapes.map(({ schema }) => schema) });

export const string = shapeOf<string>({ type: 'string' });
export const guidText = shapeOf<string>({ type: 'string', format: 'uuid' });
export const boolean = shapeOf<boolean>({ type: 'boolean' });
export const int32 = shapeOf<number>({ type: 'integer', format: 'int32' });
export const int64 = shapeOf<number>({ type: 'integer', format: 'int64' });
export const float64 = shapeOf<number>({ type: 'number', format: 'double' });
/** An object whose content is the user's own. */
export const map = shapeOf<JsonObject>({ type: 'object', additionalProperties: true });
/** A JSON value that is the user's own. */
export const anyJson = shapeOf<Json>({});
export const stamp = shapeOf<string>({
  type: 'string',
  // Years beyond four digits have a sign and six.
  pattern: '^([+-]\\d{2})?\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}[+-]\\d{4}$',
  $comment: 'Format: `yyyy-MM-dd HH:mm:ssZ`.',
  examples: ['2024-03-01 09:00:00+0900'],
});
export const dayText = shapeOf<string>({
  type: 'string',
  pattern: '^([+-]\\d{2})?\\d{4}-\\d{2}-\\d{2}$',
  $comment: 'Format: `yyyy-MM-dd`.',
  examples: ['2024-03-01'],
});
export const epoch = shapeOf<number>({ type: 'integer', format: 'int64', $comment: 'Epoch milliseconds.' });

declare const LINES: unique symbol;

/** A text of any length, each line of which is JSON. */
export interface Lines<out T> {
  readonly [LINES]: T;
}

export const lines = <T>({ schema }: Typed<T>): Shape<Lines<T>> => shapeOf(schema);

export const nothing = record({});

export const created = record({ guid: guidText('GUID of the new object.') });

export const listOf = <const P extends string, T>(
  plural: P,
  item: Typed<T>,
): Shape<{ readonly total_count: number } & { readonly [K in P]: readonly T[] }> =>
  shapeOf(
    record({
      total_count: int32('Number of matches on all pages.'),
      [plural]: arrayOf(item)('The matches on this page.'),
    }).schema,
  );

export const failures: Shape<readonly Failure[]> = arrayOf(
  record('Failure', {
    id: string('Key of the object, as the request gave it.', '8d0b0f6c-3b52-4e0d-9f3a-0e3b4f6f7c11'),
    reason: string('Code of the reason.', 'user-not-found'),
  }),
)('Objects that were left as they were.');
