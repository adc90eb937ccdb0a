// An example of a value, made from its schema: the example that the schema gives, or one that fits its type.

import type { JsonSchema } from '#operations/params/params.ts';

interface Keywords {
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly type?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

const TEXTS: Readonly<Record<string, string>> = {
  uuid: '8d0b0f6c-3b52-4e0d-9f3a-0e3b4f6f7c11',
  date: '2024-03-01',
};

/** The value has every field of a record, those that may be absent too. */
export function exampleOf(schema: JsonSchema): unknown {
  const { examples, enum: values, anyOf, ...rest } = schema as Keywords; // The keywords that our shapes write.
  if (examples) return examples[0];
  if (rest.default !== undefined) return rest.default;
  if (values) return values[0];
  if (anyOf?.[0]) return exampleOf(anyOf[0]);
  return exampleOfType(rest);
}

function exampleOfType({ type, format = '', minimum = 0, items = {}, properties = {} }: Keywords): unknown {
  if (type === 'array') return [exampleOf(items)];
  if (type === 'object') {
    return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, exampleOf(field)]));
  }
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return Math.max(minimum, 1);
  return TEXTS[format] ?? 'text';
}
