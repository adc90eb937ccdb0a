// JSON Schemas in words: what the tables of the reference say about a parameter or a field. Code is set in backticks.

import { code } from '#docs/markdown.ts';
import type { JsonSchema } from '#operations/params/params.ts';

/** A row of a table about the fields of an answer. */
export interface FieldFacts {
  /** With the names above it: `users[].guid`. */
  readonly name: string;
  readonly type: string;
  readonly rule: string;
}

/** The keywords that our readers and shapes write. */
interface Keywords {
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  /** What a schema itself notes, where no meaning has taken it in. */
  readonly $comment?: string;
  readonly enum?: readonly (string | number)[];
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

// The readers and shapes are ours; a keyword that is missing above is only not put into words.
const keywordsOf = (schema: JsonSchema) => schema as Keywords;

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'GUID',
  int32: '32-bit integer',
  int64: '64-bit integer',
  double: '64-bit float',
};

export function typeName(schema: JsonSchema): string {
  const { type = 'value', format = '', items, anyOf, properties } = keywordsOf(schema);
  if (anyOf) return anyOf.map(typeName).join(' or ');
  if (items) return `list of ${typeName(items)}s`;
  if (type === 'object' && !properties) return 'map';
  return FORMATS[format] ?? type;
}

/** What a value must satisfy beyond its type; empty when there is nothing to say. */
export function ruleOf(schema: JsonSchema): string {
  const { $comment, description = $comment, enum: values, pattern, maxLength, items } = keywordsOf(schema);
  const ofItems = items && !isObject(items) ? ruleOf(items) : '';
  const rules = [
    values && `one of ${values.map((value) => code(String(value))).join(', ')}`,
    values ? '' : rangeOf(schema),
    maxLength !== undefined && `at most ${grouped(maxLength)} characters`,
    pattern && !$comment && `matches ${code(pattern)}`,
    ofItems && `each item: ${ofItems}`,
  ];
  return sentences([description ?? '', rules.filter((rule) => rule).join('; ')]);
}

/** Each part with a capital at its start, and a full stop where it has none and another part follows. */
export function sentences(parts: readonly string[]): string {
  const [first = '', ...further] = parts.filter((part) => part !== '');
  if (further.length === 0) return first;
  return [first, ...further]
    .map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1).replace(/\.$/, '')}.`)
    .join(' ');
}

/** The fields of an object and, below them, those of the objects in it. */
export function fieldsOf(schema: JsonSchema, above = ''): FieldFacts[] {
  const { properties = {}, required = [] } = keywordsOf(schema);
  return Object.entries(properties).flatMap(([name, field]) => {
    const { inner, mark } = insideOf(field);
    const rule = sentences([required.includes(name) ? '' : 'optional', ruleOf(field)]);
    const own = { name: above + name, type: typeName(field), rule };
    return [own, ...fieldsOf(inner, `${above}${name}${mark}.`)];
  });
}

function rangeOf(schema: JsonSchema): string {
  const { minimum, maximum } = keywordsOf(schema);
  if (minimum === undefined) return maximum === undefined ? '' : `at most ${maximum}`;
  return maximum === undefined ? `at least ${minimum}` : `${minimum} to ${maximum}`;
}

/** The object that a list, or an object that may be null, is about. */
function insideOf(schema: JsonSchema): { inner: JsonSchema; mark: string } {
  const { items, anyOf } = keywordsOf(schema);
  if (items) return { inner: items, mark: '[]' };
  return { inner: anyOf?.find(isObject) ?? schema, mark: '' };
}

const isObject = (schema: JsonSchema) => schema.type === 'object';

const grouped = (count: number) => count.toLocaleString('en');
