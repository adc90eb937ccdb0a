// Buckets of dates, for bin and timechart.

import type { Duration } from '#query/model/durations.ts';
import type { PlanCompiler } from '#query/plan-nodes/plan-compiler.ts';
import { bucketSteps } from '#query/sql/forms/buckets.ts';
import type { Sql } from '#query/sql/scope.ts';

/** Rows with the start of the bucket of a date, which nested SELECTs compute step by step. */
export function inBuckets(
  rows: string,
  value: Sql,
  { span, offset }: { readonly span: Duration; readonly offset?: Duration | undefined },
  compiler: PlanCompiler,
): { readonly from: string; readonly start: Sql } {
  const date = dateOnly(value, compiler);
  const steps = bucketSteps(span, offset, compiler.writer());
  let from = `(${rows})`;
  let text = date.text;
  for (const step of date.isPlain ? steps : [(t: string) => t, ...steps]) {
    const name = compiler.name('bucket');
    from = `(select *, ${step(text)} as ${name} from ${from})`;
    text = name;
  }
  return { from, start: { text, type: 'date', isPlain: true } };
}

/** A value that is a date, else null: values are not converted. */
function dateOnly(value: Sql, compiler: PlanCompiler): Sql {
  if (value.type === 'date') return value;
  if (value.type !== 'any') return { text: 'null::timestamptz', type: 'date', isPlain: true };
  const text = compiler.writer().once([value], (j) => `case when vigil_is_date(${j}) then vigil_tagged_date(${j}) end`);
  return { text, type: 'date' };
}
