// `parse "START*STOP" as F`: the text between two others; a pair that does not fit leaves `before`.

import type { Column } from '#query/model/columns.ts';
import type { ColumnId, Expression } from '#query/model/expression.ts';
import type { Sql } from '#query/sql/scope.ts';
import type { Step } from './plan.ts';
import type { PlanCompiler } from './plan-compiler.ts';
import { nothing, type PlanNodeDeclaration } from './plan-node.ts';
import { readExtracted, withText } from './shared/extracted.ts';

interface ParseBetween extends Step {
  readonly kind: 'parse';
  readonly source: Expression;
  readonly pairs: readonly {
    readonly start: string;
    readonly stop: string;
    readonly column: Column;
    readonly before: Expression;
  }[];
}

export const parse: PlanNodeDeclaration<ParseBetween> = {
  kind: 'parse',
  takes: 'each',
  expressions: ({ source }) => [source],
  makes: nothing,
  reads: ({ pairs, source }, reading) => readExtracted(pairs, source, reading),
  pushdown: 'lost',
  counts: 'as-input',

  sql({ input, source, pairs, rows }, compiler) {
    const below = compiler.planNode(input);
    const read = pairs.filter(({ column }) => compiler.isRead(column.id));
    if (read.length === 0) return below;
    const { from, text } = withText(below, compiler.expression(source), compiler);
    const computed = new Map<ColumnId, string>();
    for (const { start, stop, column, before } of read) {
      const found = compiler.converted({ text: betweenSql(text, start, stop, compiler), type: 'string' }, column.type);
      computed.set(column.id, `coalesce(${found}, ${compiler.converted(compiler.expression(before), column.type)})`);
    }
    return compiler.select(rows, { from, computed });
  },

  local: {
    row({ source, pairs }, scope) {
      const text = scope.text(source);
      const made = pairs.map((pair) => ({ ...pair, before: scope.value(pair.before) }));
      const { meter } = scope;
      return (row) => {
        const whole = text(row);
        for (const { start, stop, column, before } of made) {
          meter.take(1);
          meter.takeShallow(whole);
          row[column.id] = (whole === null ? null : between(whole, start, stop)) ?? before(row);
        }
        return true;
      };
    },
  },
};

/** Null where the pair does not fit. */
function betweenSql({ text }: Sql, start: string, stop: string, compiler: PlanCompiler): string {
  const writer = compiler.writer();
  const first = compiler.bind(start).text;
  const last = compiler.bind(stop).text;
  const rest =
    start === ''
      ? text
      : `case when contains(${text}, ${first}) then substr(${text}, instr(${text}, ${first}) + length(${first})) end`;
  if (stop === '') return rest;
  return writer.once(
    [{ text: rest, type: 'string' }],
    (r) => `case when contains(${r}, ${last}) then left(${r}, instr(${r}, ${last}) - 1) end`,
  );
}

/** The text between the first START and the first STOP after it; null where the pair does not fit. */
function between(text: string, start: string, stop: string): string | null {
  const at = text.indexOf(start);
  if (at === -1) return null;
  const from = at + start.length;
  const end = stop === '' ? text.length : text.indexOf(stop, from);
  return end === -1 ? null : text.slice(from, end);
}
