// The ceiling of the elements that the lists of one row may make together (6.4). DuckDB makes the lists of 2,048 rows before it
// looks whether there is memory or whether it was interrupted, so elements are counted before they are made: those of a
// call, multiplied by the positions of the foreach() calls around it.

import type { RunFacts } from '#query/model/run-facts.ts';
import type { Compiler } from '#query/sql/compiler.ts';
import { stopToken } from '#query/sql/stop-check.ts';
import { failureText, MAX_ROW_BYTES, MAX_ROW_READ_BYTES, maxElements, TEXT_TOO_LONG } from '#query/values/failures.ts';

/** `count` elements made once for each position of the calls around; must be plain, as it is repeated. */
export const multiplied = (count: string, { positions }: Compiler): string =>
  positions === '1' ? count : `(${positions} * ${count})`;

/** `made`, which has `count` elements; where those are too many the query fails. */
export function limited(made: string, count: string, compiler: Compiler): string {
  const { run } = compiler.scope;
  return `case when ${multiplied(count, compiler)} > ${maxElements(run)} then ${tooMany(run)} else ${made} end`;
}

const tooMany = (run: RunFacts): string => `error('${failureText(93010, maxElements(run))}')`;

/** As `limited`, where `count` is long work: it is only asked for where `bound`, which is at least as much, is too much. */
export function limitedBy(bound: string, made: string, count: string, compiler: Compiler): string {
  const isBelow = `${multiplied(bound, compiler)} <= ${maxElements(compiler.scope.run)}`;
  return `case when ${isBelow} then ${made} else ${limited(made, count, compiler)} end`;
}

/** Fewer are never looked at: whatever each of them is, they are not what fills the memory. */
const MEASURED_FROM = 16;

/** A list of JSON values as JSON, unless they are too long together; `list` is plain. */
export function limitedJson(list: string, positions: string, compiler: Compiler): string {
  const length = compiler.variable();
  const bytes = `list_sum(list_transform(${list}, lambda ${length}: coalesce(strlen(${length}::varchar), 0)))`;
  const isLong = `case when ${positions} > ${MEASURED_FROM} then ${multiplied(bytes, compiler)} > ${MAX_ROW_BYTES} else false end`;
  return `case when ${isLong} then error('${TEXT_TOO_LONG}') else to_json(${list}) end`;
}

/** `made`, for which texts of so many bytes each are read at every position: too much where a row would read more than it may. */
export function limitedReads(made: string, bytes: readonly string[], positions: string, { scope }: Compiler): string {
  if (bytes.length === 0) return made;
  const isLong = `${positions} * (${bytes.join(' + ')}) > ${MAX_ROW_READ_BYTES}`;
  return `case when ${isLong} then ${tooMany(scope.run)} else ${made} end`;
}

/** Positions of a row from which on a cancel is looked for. */
const CHECKED_FROM = 256;
const CHECKED_EVERY = 1024;

/** The body of a foreach(), which looks now and then whether its query was cancelled. `position` is counted from 1. */
export function stoppable(
  body: string,
  { position, positions }: { position: string; positions: string },
  compiler: Compiler,
) {
  const token = compiler.bind(stopToken(compiler.scope.run)).text;
  const isDue = `${positions} > ${CHECKED_FROM} and ${position} % ${CHECKED_EVERY} = 1`;
  return `case when (case when ${isDue} then vigil_stopped(${token}, ${position}) else false end) then null else ${body} end`;
}
