// Fields of a rule as texts: as they stand in a record, in a version, and in a form.

import type { Labels } from '#console/labels/en.ts';
import { durationText } from '#console/time/numbers.ts';

export type RuleField = keyof Labels['rules']['fields'];
/** A record or a version: fields by their names, each reference followed by the names of what it refers to. */
export type FieldsOfRule = Readonly<Record<string, unknown>>;

export const ruleFields = ({ rules }: Labels): readonly RuleField[] => Object.keys(rules.fields) as RuleField[]; // Its own keys.

const SECONDS: ReadonlySet<string> = new Set(['duration', 'ticket_suppress_interval', 'event_suppress_interval']);

/** Empty where the field is not set. */
export function fieldText(field: RuleField, rule: FieldsOfRule, labels: Labels): string {
  const value = rule[field];
  if (isUnset(value)) return '';
  if (field === 'commands') return conditionsText(value);
  if (/_guids?$/.test(field)) return referenceText(value, rule[namesField(field)], labels);
  if (field.startsWith('mitre_')) return listOf(value).map(mitreText).join('\n');
  if (SECONDS.has(field) && typeof value === 'number') return value === 0 ? '0' : durationText(value * 1000);
  return wordOf(field, value, labels);
}

const isUnset = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** `logger_guids` and `logger_names`, `category_guid` and `category_name`. */
const namesField = (field: string): string => field.replace(/_guid(s?)$/, '_name$1');

/** A reference without a name is one to an object that has gone. */
function referenceText(value: unknown, names: unknown, { rules }: Labels): string {
  const known = listOf(names);
  return listOf(value)
    .map((guid, index) => {
      const name = known[index];
      return typeof name === 'string' ? name : rules.goneReference(String(guid));
    })
    .join('\n');
}

const conditionsText = (value: unknown): string =>
  listOf(value)
    .map((condition) => (isRecord(condition) ? String(condition.query) : String(condition)))
    .join('\n');

const mitreText = (value: unknown): string =>
  isRecord(value)
    ? [value.mitre_id, value.display_name ?? value.name].filter((part) => typeof part === 'string').join(' ')
    : String(value);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function wordOf(field: RuleField, value: unknown, { rules, priority, common }: Labels): string {
  if (typeof value === 'boolean') return value ? common.yes : common.no;
  const text = String(value);
  const words: Partial<Record<RuleField, Readonly<Record<string, string>>>> = {
    priority,
    ticket_issue_cond: rules.ticketConditions,
    source_type: rules.sourceTypes,
    datetrunc: rules.truncations,
  };
  return words[field]?.[text] ?? text;
}

export interface ChangedText {
  readonly before: string;
  readonly changed: string;
  readonly after: string;
}

/** What differs in each of two texts between their common beginning and their common end. */
export function changedParts(one: string, other: string): readonly [ChangedText, ChangedText] {
  const a = [...one];
  const b = [...other];
  const shortest = Math.min(a.length, b.length);
  let begin = 0;
  while (begin < shortest && a[begin] === b[begin]) begin += 1;
  let end = 0;
  while (end < shortest - begin && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const parts = (text: readonly string[]) => ({
    before: text.slice(0, begin).join(''),
    changed: text.slice(begin, text.length - end).join(''),
    after: text.slice(text.length - end).join(''),
  });
  return [parts(a), parts(b)];
}

/** The message of an event: `$field` is the value of the field. */
export const messageText = (template: string, row: FieldsOfRule): string =>
  template.replace(/\$([\p{L}_@](?:[\p{L}\p{Nd}\p{M}_@.]*[\p{L}\p{Nd}\p{M}_@])?)/gu, (_, name: string) => {
    const value = row[name];
    if (value === undefined || value === null) return '';
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  });
