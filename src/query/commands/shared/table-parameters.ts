// Tables that are named by parameters: `table $("x")`. The value is read like the names in a text, and a name needs the rights
// of all accounts that took part in it: of the one with whose rights the text runs, and of those that called it (11).

import type { SlicedWork } from '#kernel/sliced-work.ts';
import { takeParameter } from '#query/language/expressions/expression-parser.ts';
import { expressionText } from '#query/language/expressions/expression-text.ts';
import { Words } from '#query/language/words.ts';
import type { ParameterRead } from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { Value } from '#query/model/values.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';
import { specText, type TableSpec, takeSpec, takeSpecs } from './table-specs.ts';

export const TABLES_SYNTAX = '[NODE:]NAME[?] | $("x")[?], ...';

/** `$("x")`, or `$("x")?` where none of the tables need exist. */
interface TableParameter {
  readonly parameter: ParameterRead;
  readonly isOptional: boolean;
}

/** A part of the list of tables in a text. */
export type TableNaming = TableSpec | TableParameter;

export function* takeTables(words: Words): SlicedWork<readonly TableNaming[]> {
  const tables: TableNaming[] = [];
  do {
    tables.push(yield* takeTable(words));
    yield;
  } while (words.take(','));
  return tables;
}

function* takeTable(words: Words): SlicedWork<TableNaming> {
  if (!words.startsWith('$(')) return takeSpec(words);
  const parameter = yield* takeParameter(words);
  const isOptional = words.here === '?' && words.at === parameter.end;
  if (isOptional) words.take('?');
  return { parameter, isOptional };
}

export const tablesText = (tables: readonly TableNaming[]): string =>
  tables
    .map((table) =>
      'parameter' in table ? `${expressionText(table.parameter)}${table.isOptional ? '?' : ''}` : specText(table),
    )
    .join(', ');

interface NamedTables {
  readonly specs: readonly TableSpec[];
  /** Whether a parameter has no value yet: its tables may have any columns. */
  readonly isOpen: boolean;
}

/** Reads the values of the parameters (10007). */
export function namedTables(tables: readonly TableNaming[], planning: CommandPlanning<unknown>): NamedTables {
  const named = tables.map((table) => ('parameter' in table ? specsOf(table, planning) : [table]));
  return { specs: named.flatMap((specs) => specs ?? []), isOpen: named.includes(undefined) };
}

/** Undefined where the value is not known, and in a check where there is none. */
function specsOf(
  { parameter, isOptional }: TableParameter,
  planning: CommandPlanning<unknown>,
): readonly TableSpec[] | undefined {
  const value = planning.parameter(parameter);
  if (value === undefined) return undefined;
  if (value === null || (Array.isArray(value) && value.length === 0)) {
    if (isOptional) return [];
    if (planning.queryContext.isCheck) return undefined;
  }
  const { begin, end } = parameter;
  return textsOf(value, parameter).flatMap((text) =>
    writtenSpecs(text, parameter).map((spec) => ({
      name: spec.name,
      ...(spec.node ? { node: { text: spec.node.text, begin, end } } : {}),
      isOptional: isOptional || spec.isOptional,
      isGiven: true as const,
      begin,
      end,
    })),
  );
}

function textsOf(value: Value, parameter: ParameterRead): readonly string[] {
  const values: readonly Value[] = Array.isArray(value) ? value : [value];
  const texts = values.filter((one) => typeof one === 'string');
  if (texts.length < values.length || texts.length === 0) throw noTable(value, parameter);
  return texts;
}

function writtenSpecs(text: string, parameter: ParameterRead): readonly TableSpec[] {
  try {
    const words = new Words(text, { begin: 0, end: text.length, brackets: new Map() });
    const specs = takeSpecs(words);
    if (words.isDone) return specs;
  } catch (failure) {
    if (!(failure instanceof QueryError)) throw failure;
  }
  throw noTable(text, parameter);
}

/** Of a value in an error. */
const SHOWN_CHARACTERS = 100;

function noTable(value: Value, parameter: ParameterRead): QueryError {
  const isText = typeof value === 'string' || typeof value === 'bigint' || typeof value === 'number';
  const shown = isText ? String(value).slice(0, SHOWN_CHARACTERS) : value === null ? 'null' : parameter.name;
  return new QueryError(10007, parameter, { value: shown });
}
