// Shapes that many operations share: JSON Schemas of answers.

import type { JsonSchema } from './params.ts';

/** A field that is left out when it has no value. */
export interface Optional {
  readonly optional: JsonSchema;
}

export const optional = (schema: JsonSchema): Optional => ({ optional: schema });

export function object(fields: Readonly<Record<string, JsonSchema | Optional>>): JsonSchema {
  const entries = Object.entries(fields);
  const properties = Object.fromEntries(
    entries.map(([name, field]) => [name, isOptional(field) ? field.optional : field]),
  );
  const required = entries.filter(([, field]) => !isOptional(field)).map(([name]) => name);
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
}

const isOptional = (field: JsonSchema | Optional): field is Optional => 'optional' in field;

export const nothing: JsonSchema = { type: 'object', properties: {} };

export const arrayOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

export const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });

export const string: JsonSchema = { type: 'string' };
export const guidText: JsonSchema = { type: 'string', format: 'uuid' };
export const boolean: JsonSchema = { type: 'boolean' };
export const int32: JsonSchema = { type: 'integer', format: 'int32' };
export const int64: JsonSchema = { type: 'integer', format: 'int64' };
export const float64: JsonSchema = { type: 'number', format: 'double' };
export const map: JsonSchema = { type: 'object', additionalProperties: true };
export const stamp: JsonSchema = { type: 'string', description: 'yyyy-MM-dd HH:mm:ssZ' };
export const epoch: JsonSchema = { type: 'integer', format: 'int64', description: 'epoch milliseconds' };

export const created: JsonSchema = object({ guid: guidText });

export const listOf = (plural: string, record: JsonSchema): JsonSchema =>
  object({ total_count: int32, [plural]: arrayOf(record) });

export const failures: JsonSchema = arrayOf(object({ id: string, reason: string }));
