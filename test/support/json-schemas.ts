// JSON Schemas in a document: finding them, and what is wrong with one.

import type { JsonSchema } from '#operations/params/params.ts';

/** Every schema of a document, those inside others included. */
export function schemasIn(part: unknown): JsonSchema[] {
  if (part === null || typeof part !== 'object') return [];
  return Object.entries(part).flatMap(([key, value]) => (key === 'schema' ? withInner(value) : schemasIn(value)));
}

function withInner(schema: JsonSchema): JsonSchema[] {
  const { properties = {}, items, anyOf = [] } = schema as { properties?: object; items?: object; anyOf?: object[] };
  const inner = [...Object.values(properties), ...(items ? [items] : []), ...anyOf] as JsonSchema[];
  return [schema, ...inner.flatMap(withInner)];
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: (value) => typeof value === 'object',
  null: (value) => value === null,
};

export function flaws(schema: JsonSchema): string[] {
  const { type, items, properties = {}, required = [], pattern, enum: values, default: initial } = schema;
  const shown = JSON.stringify(schema);
  const found: [boolean, string][] = [
    [type !== undefined && !Object.hasOwn(TYPES, String(type)), 'has an unknown type'],
    [type === 'array' && (items === null || typeof items !== 'object'), 'does not say what its items are'],
    [typeof pattern === 'string' && !compiles(pattern), 'has a pattern that does not compile'],
    [(required as string[]).some((name) => !Object.hasOwn(properties as object, name)), 'requires an unknown property'],
    [Array.isArray(values) && values.length === 0, 'allows no value'],
    [initial !== undefined && TYPES[String(type)]?.(initial) === false, 'has a default of another type'],
  ];
  return found.filter(([isFlawed]) => isFlawed).map(([, flaw]) => `${shown} ${flaw}`);
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
