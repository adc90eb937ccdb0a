// The shared part of the commands that parse fields out of text (rules of the parse family, 7.2).

import { about, flag, orElse, text } from '#query/language/option-readers.ts';
import { carried, SERVICE_COLUMNS } from '#query/model/columns.ts';
import type { ParseFields } from '#query/plan-nodes/parse-fields.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';
import type { ParseMethod } from '#query/values/formats/parsed-text.ts';
import { OPTION_SUMMARIES } from './option-summaries.ts';

export const parseOptions = {
  field: about(orElse('line', text), OPTION_SUMMARIES.field),
  overlay: about(orElse(false, flag), OPTION_SUMMARIES.overlay),
} as const;

export const PARSE_RULES = [
  'With `overlay=f`, the default, a parsed row keeps only `_table`, `_time`, `_id` and `_node` and gets the parsed fields; with `overlay=t` they are added to the row and replace fields of the same name.',
  'No row is dropped: with null or unreadable input it passes unchanged. Of equal keys the first counts.',
];

interface ParseValues {
  readonly field: string | undefined;
  readonly overlay: boolean | undefined;
}

/** A parsed field may overwrite any known column, so the types of all columns become any. */
export function parseFields(
  method: ParseMethod,
  planning: CommandPlanning<ParseValues>,
  added: readonly string[] = [],
): ParseFields {
  const { rows, options } = planning;
  const listed = new Set([...rows.columns.map(({ name }) => name), ...added]);
  const unlisted = new Set(rows.unlisted?.map(({ name }) => name)).difference(listed);
  const fields = [...listed, ...unlisted].map((name) => {
    const before = planning.quietField(name);
    return { before, column: planning.newColumn(name, 'any'), isKept: SERVICE_COLUMNS.includes(name) };
  });
  const overflow = planning.hiddenColumn();
  const made = {
    columns: fields.map(({ column }) => column).filter(({ name }) => listed.has(name)),
    ...(unlisted.size > 0
      ? { unlisted: fields.map(({ column }) => column).filter(({ name }) => unlisted.has(name)) }
      : {}),
    overflow: { id: overflow, without: [] },
    ...carried(rows),
  };
  const source = planning.optionField('field', 'line');
  const overlay = options.overlay ?? false;
  return { ...planning.step(made), kind: 'parse-fields', method, source, overlay, fields, overflow };
}
