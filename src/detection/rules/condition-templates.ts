// Templates for the conditions of stream rules: a form instead of query text. Arguments become literals of their type, never
// query text. Ids are never reused.

import { commandTemplateNotFound, missing, notNumber, notText } from '#contract/errors.ts';
import type { Json } from '#kernel/json/canonical-json.ts';
import type { JsonObject } from '#operations/params/json-params.ts';
import { operandFieldText } from '#query/language/expressions/expression-text.ts';
import { quoted, quotedPattern } from '#query/language/strings.ts';
import { NUMBER_TEXT } from '#query/model/values.ts';

type FieldType = 'DATE' | 'IP' | 'PORT' | 'STRING' | 'SHORT' | 'INT' | 'LONG' | 'MD5' | 'URL';

interface ConfigSpec {
  readonly name: string;
  readonly type: 'string' | 'number' | 'array';
  /** Hint for the input of a form. */
  readonly subtype: 'ip' | 'subnet' | 'date' | 'country' | 'port_group' | null;
  readonly display_name: string;
  readonly description: string;
}

interface Template {
  readonly id: number;
  readonly name: string;
  /** Null for a template without a field. */
  readonly field_type: FieldType | null;
  readonly description: string;
  readonly config_specs: readonly ConfigSpec[];
  /** Query of the condition and of its inversion; null where the condition has its own text. */
  readonly query: string | null;
  readonly query2: string | null;
}

export const FREE_TEXT = 1;

const spec = (name: string, type: ConfigSpec['type'], display_name: string, description: string) =>
  ({ name, type, subtype: null, display_name, description }) as const;

export const TEMPLATES: readonly Template[] = [
  {
    id: FREE_TEXT,
    name: 'query',
    field_type: null,
    description: 'The condition is query text of its own.',
    config_specs: [],
    query: null,
    query2: null,
  },
  {
    id: 2,
    name: 'match-ip',
    field_type: 'IP',
    description: 'The field is this address.',
    config_specs: [{ ...spec('ip', 'string', 'Address', 'An IPv4 or IPv6 address.'), subtype: 'ip' }],
    query: 'search $field$ == ip($ip$)',
    query2: 'search $field$ != ip($ip$)',
  },
  {
    id: 3,
    name: 'match-subnet',
    field_type: 'IP',
    description: 'The field is an address of this address group.',
    config_specs: [
      { ...spec('subnet', 'string', 'Address group', 'The GUID of an address group.'), subtype: 'subnet' },
    ],
    query: 'matchnet field=$field$ guid=$subnet$',
    query2: 'matchnet field=$field$ guid=$subnet$ invert=t',
  },
  {
    id: 4,
    name: 'match-text',
    field_type: 'STRING',
    description: 'The field is one of these texts.',
    config_specs: [spec('values', 'array', 'Texts', 'Compared as they are, a star too.')],
    query: 'search in($field$, $values$)',
    query2: 'search not(in($field$, $values$))',
  },
  {
    id: 5,
    name: 'contain-text',
    field_type: 'STRING',
    description: 'The field contains this text.',
    config_specs: [spec('text', 'string', 'Text', 'Capital and small letters differ.')],
    query: 'search contains($field$, $text$)',
    query2: 'search not(contains($field$, $text$))',
  },
  {
    id: 6,
    name: 'match-pattern',
    field_type: 'STRING',
    description: 'The field matches this regular expression.',
    config_specs: [spec('pattern', 'string', 'Pattern', 'A regular expression of RE2.')],
    query: 'search match($field$, $pattern$)',
    query2: 'search not(match($field$, $pattern$))',
  },
  {
    id: 7,
    name: 'match-port',
    field_type: 'PORT',
    description: 'The field is one of these ports.',
    config_specs: [spec('ports', 'array', 'Ports', 'Numbers from 0 to 65535.')],
    query: 'search in(long($field$), $ports$)',
    query2: 'search not(in(long($field$), $ports$))',
  },
  {
    id: 8,
    name: 'at-least',
    field_type: 'LONG',
    description: 'The field is at least this number.',
    config_specs: [spec('number', 'number', 'Number', 'Fields that are no numbers never fit.')],
    query: 'search $field$ >= $number$',
    query2: 'search $field$ < $number$',
  },
  {
    id: 9,
    name: 'match-url',
    field_type: 'URL',
    description: 'The field contains this text, in capital or small letters.',
    config_specs: [spec('text', 'string', 'Text', 'For instance /etc/passwd.')],
    query: 'search contains(lower($field$), lower($text$))',
    query2: 'search not(contains(lower($field$), lower($text$)))',
  },
  {
    id: 10,
    name: 'match-md5',
    field_type: 'MD5',
    description: 'The field is one of these hashes, in capital or small letters.',
    config_specs: [spec('hashes', 'array', 'Hashes', 'Of 32 hexadecimal digits.')],
    query: 'search in(lower($field$), lower($hashes$))',
    query2: 'search not(in(lower($field$), lower($hashes$)))',
  },
];

export const templateOf = (id: number): Template | undefined => TEMPLATES.find((template) => template.id === id);

/** A condition of a stream rule as stored and shown. */
export interface Condition {
  readonly template_id: number;
  readonly field_name?: string;
  readonly args?: JsonObject;
  readonly query: string;
  readonly invert: boolean;
  readonly ordinal: number;
}

export interface RawCondition {
  readonly template_id: number;
  readonly field_name: string | undefined;
  readonly args: JsonObject | undefined;
  readonly query: string | undefined;
  readonly invert: boolean;
  readonly ordinal: number | undefined;
}

/** Refuses missing arguments of the template. An unknown template requires nothing. */
export function requireComplete(condition: RawCondition): void {
  const template = templateOf(condition.template_id);
  if (template) queryOf(condition, template);
}

export function requireTemplates(given: readonly RawCondition[]): void {
  const unknown = given.find(({ template_id }) => !templateOf(template_id));
  if (unknown) throw commandTemplateNotFound(unknown.template_id);
}

/** Conditions with known templates as stored: each with its query text, in the order of evaluation. */
export function conditionsOf(given: readonly RawCondition[]): Condition[] {
  const conditions = given.flatMap((condition, index) => {
    const template = templateOf(condition.template_id);
    if (!template) return [];
    const { template_id, field_name, args, invert, ordinal = index + 1 } = condition;
    return {
      template_id,
      ...(field_name === undefined ? {} : { field_name }),
      ...(args === undefined ? {} : { args }),
      query: queryOf(condition, template),
      invert,
      ordinal,
    };
  });
  return conditions.toSorted((a, b) => a.ordinal - b.ordinal);
}

function queryOf(condition: RawCondition, template: Template): string {
  const text = condition.invert ? template.query2 : template.query;
  if (text === null) return required(condition.query, 'query');
  const field = required(condition.field_name, 'field_name');
  return text.replace(/(\w+[=(])?\$(\w+)\$(\))?/g, (_, before = '', name: string, behind = '') => {
    if (name === 'field')
      return `${before}${before.endsWith('=') ? quoted(field) : operandFieldText(field, [])}${behind}`;
    const config = template.config_specs.find((candidate) => candidate.name === name);
    const value = required(condition.args?.[name] ?? undefined, name);
    const isCalled = before.endsWith('(') && behind !== '';
    const literals = literalsOf(value, { type: config?.type ?? 'string', name, isCalled });
    // A function of a list applies to each item.
    return isCalled ? literals.map((one) => before + one + behind).join(', ') : before + literals.join(', ') + behind;
  });
}

function required<T>(value: T | undefined, key: string): T {
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
    throw missing(`commands.${key}`);
  return value;
}

interface LiteralOptions {
  readonly type: ConfigSpec['type'];
  readonly name: string;
  /** Whether each literal is the argument of its own function call. */
  readonly isCalled: boolean;
}

function literalsOf(value: Json, { type, name, isCalled }: LiteralOptions): string[] {
  if (type === 'array') {
    const items: readonly Json[] = Array.isArray(value) ? value : [value];
    return items.map((item) => scalar(item, name, isCalled ? quoted : quotedItem));
  }
  return [type === 'number' ? numeral(value, name) : scalarText(value, name, quoted)];
}

/** An item of a list, where an unquoted star would be a wildcard. */
const quotedItem = (text: string): string => quotedPattern([text]);

const scalar = (item: Json, name: string, write: (text: string) => string): string =>
  typeof item === 'number' ? numeral(item, name) : scalarText(item, name, write);

function scalarText(item: Json, name: string, write: (text: string) => string): string {
  if (typeof item !== 'string') throw notText(`commands.${name}`);
  return write(item);
}

/** Digits given as text are kept: a JavaScript number would lose precision. */
function numeral(value: Json, name: string): string {
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value.trim().replace(/^\+/, '') : '';
  if (!NUMBER_TEXT.test(text)) throw notNumber(`commands.${name}`);
  return text;
}
