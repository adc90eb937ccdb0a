// What is wrong with a value by its JSON Schema: the keywords that our shapes write. An object that names its properties has
// no others, which the published schema leaves open for the sake of later versions.

import type { JsonSchema } from '#operations/params/params.ts';

interface Keywords {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
}

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: (value) => value !== null && typeof value === 'object' && !Array.isArray(value),
  null: (value) => value === null,
};

/** Each with the path of the value inside the whole. */
export function schemaErrors(value: unknown, schema: JsonSchema, path = ''): string[] {
  const keywords = schema as Keywords; // The schema is ours.
  if (keywords.anyOf) return ofAlternatives(value, keywords.anyOf, path);
  const { type, enum: values } = keywords;
  if (type !== undefined && TYPES[type]?.(value) !== true) return [`${path || '/'} is no ${type}: ${shown(value)}`];
  if (values && !values.includes(value)) return [`${path || '/'} is none of ${values.join(', ')}: ${shown(value)}`];
  if (typeof value === 'string') return ofText(value, keywords, path);
  if (typeof value === 'number') return ofNumber(value, keywords, path);
  if (Array.isArray(value)) {
    return value.flatMap((item, at) => schemaErrors(item, keywords.items ?? {}, `${path}/${at}`));
  }
  return value === null || typeof value !== 'object' ? [] : ofObject(value as Members, keywords, path);
}

type Members = Readonly<Record<string, unknown>>;

function ofAlternatives(value: unknown, alternatives: readonly JsonSchema[], path: string): string[] {
  const errors = alternatives.map((schema) => schemaErrors(value, schema, path));
  if (errors.some((found) => found.length === 0)) return [];
  // Those of the alternative that fits best.
  return errors.toSorted((one, other) => depth(other) - depth(one))[0] ?? [];
}

const depth = (errors: readonly string[]) => Math.max(...errors.map((error) => error.split(' ')[0]?.length ?? 0));

function ofText(value: string, { format, pattern, maxLength = Number.POSITIVE_INFINITY }: Keywords, path: string) {
  if (format === 'uuid' && !GUID.test(value)) return [`${path} is no GUID: ${shown(value)}`];
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value))
    return [`${path} breaks ${pattern}: ${shown(value)}`];
  return [...value].length > maxLength ? [`${path} is longer than ${maxLength}`] : [];
}

function ofNumber(value: number, { format, minimum, maximum }: Keywords, path: string): string[] {
  const [least, most] = format === 'int32' ? [-(2 ** 31), 2 ** 31 - 1] : [-Infinity, Infinity];
  const isWithin = value >= (minimum ?? least) && value <= (maximum ?? most);
  return isWithin ? [] : [`${path} is out of its range: ${value}`];
}

function ofObject(value: Members, { properties = {}, required = [], additionalProperties }: Keywords, path: string) {
  const missing = required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${path}/${name} is missing`);
  const isOpen = additionalProperties === true;
  const further = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const found = Object.entries(value).flatMap(([name, member]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : further;
    if (schema) return schemaErrors(member, schema, `${path}/${name}`);
    return isOpen ? [] : [`${path}/${name} is not declared`];
  });
  return [...missing, ...found];
}

const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 120);
