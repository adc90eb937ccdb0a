// Named groups of a regular expression. On a match every group is assigned, null where it matched nothing; else `before`
// stays.

import type { Column } from '#query/model/columns.ts';
import type { ColumnId, Expression } from '#query/model/expression.ts';
import { captureOf, type FieldGroup } from '#query/model/regex.ts';
import { isForLocal, searchedPattern } from '#query/sql/patterns.ts';
import type { Sql } from '#query/sql/scope.ts';
import { captures, regexOf } from '#query/values/regexes/regexes.ts';
import type { Step } from './plan.ts';
import type { PlanCompiler } from './plan-compiler.ts';
import { nothing, type PlanNodeDeclaration } from './plan-node.ts';
import { readExtracted, withText } from './shared/extracted.ts';

interface Rex extends Step {
  readonly kind: 'rex';
  readonly source: Expression;
  readonly pattern: string;
  readonly groups: readonly { readonly field: FieldGroup; readonly column: Column; readonly before: Expression }[];
}

export const rex: PlanNodeDeclaration<Rex> = {
  kind: 'rex',
  takes: 'each',
  expressions: ({ source }) => [source],
  makes: nothing,
  reads: ({ groups, source }, reading) => readExtracted(groups, source, reading),
  pushdown: 'kept',
  counts: 'as-input',
  sql,

  local: {
    begins: ({ pattern }, isInThreads) => isInThreads && isForLocal(pattern),
    row({ source, pattern, groups }, scope) {
      const text = scope.text(source);
      const regex = regexOf(pattern);
      const made = groups.map(({ field, column, before }) => ({
        id: column.id,
        field,
        before: scope.value(before),
      }));
      const { meter } = scope;
      return (row) => {
        const whole = text(row);
        const found = whole === null ? undefined : captures(whole, regex, meter);
        for (const { id, field, before } of made) row[id] = found ? captureOf(found, field) : before(row);
        return true;
      };
    },
  },
};

function sql({ input, source, pattern, groups, rows }: Rex, compiler: PlanCompiler): string {
  const below = compiler.planNode(input);
  const read = groups.filter(({ column }) => compiler.isRead(column.id));
  if (read.length === 0) return below;
  const { from, text } = withText(below, compiler.expression(source), compiler);
  if (isForLocal(pattern)) return capturedLocally({ from, text, read, pattern, rows }, compiler);
  const regex = spelled(pattern);
  const searched = spelled(searchedPattern(pattern));
  const last = 1 + Math.max(...read.flatMap(({ field }) => field.indexes));
  const names = Array.from({ length: last }, (_, index) => `'g${index + 1}'`).join(', ');
  const found = compiler.name('found');
  const computed = new Map<ColumnId, string>();
  for (const { field, column, before } of read) {
    const old = compiler.expression(before);
    const part = firstPart(field.indexes.map((index) => `struct_extract(${found}, 'g${index + 1}')`));
    const made = (value: string) => compiler.converted({ text: value, type: 'string' }, column.type);
    // Without a value before, a group that did not match and a text that did not match are alike; else the second test
    // tells them apart for the few rows that are left.
    const kept = `case when ${part} <> '' then ${made(part)} when regexp_matches(${text.text}, ${searched}) then null
      else ${compiler.converted(old, column.type)} end`;
    computed.set(column.id, old.type === 'null' ? made(`nullif(${part}, '')`) : kept);
  }
  const groupsFound = `regexp_extract(${text.text}, ${regex}, [${names}]) as ${found}`;
  return compiler.select(rows, { from: `(select *, ${groupsFound} from ${from})`, computed });
}

/** The first of them that is not empty; empty if all are. */
const firstPart = (parts: readonly string[]): string =>
  parts.length === 1 ? parts.join('') : `coalesce(${parts.map((part) => `nullif(${part}, '')`).join(', ')}, '')`;

interface Captured extends Pick<Rex, 'pattern' | 'rows'> {
  readonly from: string;
  readonly text: Sql;
  readonly read: Rex['groups'];
}

/** A list of captures, null without a match. */
function capturedLocally({ from, text, read, pattern, rows }: Captured, compiler: PlanCompiler): string {
  const found = compiler.name('found');
  const list = compiler.writer().local('groups', [text, compiler.bind(pattern)], 'list').text;
  const computed = read.map(({ field, column, before }) => {
    const part = `coalesce(${field.indexes.map((index) => `${found}->>${index}`).join(', ')})`;
    const made = compiler.converted({ text: part, type: 'string' }, column.type);
    const old = compiler.converted(compiler.expression(before), column.type);
    return [column.id, `case when ${found} is not null then ${made} else ${old} end`] as const;
  });
  return compiler.select(rows, { from: `(select *, ${list} as ${found} from ${from})`, computed: new Map(computed) });
}

/** DuckDB finds all groups at once only by a pattern that is no parameter: it is spelled in hexadecimal digits. */
const spelled = (pattern: string): string => `decode(unhex('${Buffer.from(pattern).toString('hex')}'))`;
