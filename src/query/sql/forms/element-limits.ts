// Limits the elements that the lists of one row may make together (6.4). DuckDB makes the lists of 2,048 rows before it
// checks memory or an interrupt, so elements are counted before they are made: those of a call, multiplied by the
// positions of the enclosing foreach() calls.

import type { RunFacts } from '#query/model/run-facts.ts';
import type { ExpressionCompiler } from '#query/sql/expression-compiler.ts';
import { stopToken } from '#query/sql/stop-check.ts';
import { failureText, MAX_ROW_BYTES, MAX_ROW_READ_BYTES, maxElements, TEXT_TOO_LONG } from '#query/values/failures.ts';

/** `count` elements for each position of the enclosing calls; `count` must be plain, because it is repeated. */
export const multiplied = (count: string, { positions }: ExpressionCompiler): string =>
  positions === '1' ? count : `(${positions} * ${count})`;

/** `made`, which has `count` elements, or an error if there are too many. */
export function limited(made: string, count: string, compiler: ExpressionCompiler): string {
  const { run } = compiler.scope;
  return `case when ${multiplied(count, compiler)} > ${maxElements(run)} then ${tooMany(run)} else ${made} end`;
}

const tooMany = (run: RunFacts): string => `error('${failureText(93010, maxElements(run))}')`;

/**
 * Like `limited`, for an expensive `count`: it is computed only if `bound`, an upper bound of it, exceeds the limit.
 */
export function limitedBy(bound: string, made: string, count: string, compiler: ExpressionCompiler): string {
  const isBelow = `${multiplied(bound, compiler)} <= ${maxElements(compiler.scope.run)}`;
  return `case when ${isBelow} then ${made} else ${limited(made, count, compiler)} end`;
}

/** Shorter lists are not measured: they cannot fill the memory, whatever their elements are. */
const MEASURED_FROM = 16;

/** A list of JSON values as JSON, or an error if they are too long together; `list` must be plain. */
export function limitedJson(list: string, positions: string, compiler: ExpressionCompiler): string {
  const length = compiler.variable();
  const bytes = `list_sum(list_transform(${list}, lambda ${length}: coalesce(strlen(${length}::varchar), 0)))`;
  const isLong = `case when ${positions} > ${MEASURED_FROM} then ${multiplied(bytes, compiler)} > ${MAX_ROW_BYTES} else false end`;
  return `case when ${isLong} then error('${TEXT_TOO_LONG}') else to_json(${list}) end`;
}

/** `made`, which reads texts of these sizes at every position, or an error if a row would read too much. */
export function limitedReads(
  made: string,
  bytes: readonly string[],
  positions: string,
  { scope }: ExpressionCompiler,
): string {
  if (bytes.length === 0) return made;
  const isLong = `${positions} * (${bytes.join(' + ')}) > ${MAX_ROW_READ_BYTES}`;
  return `case when ${isLong} then ${tooMany(scope.run)} else ${made} end`;
}

/** Rows with more positions check for a cancel. */
const CHECKED_FROM = 256;
const CHECKED_EVERY = 1024;

/** The body of a foreach() with a regular check whether its query was cancelled. `position` counts from 1. */
export function stoppable(
  body: string,
  { position, positions }: { position: string; positions: string },
  compiler: ExpressionCompiler,
) {
  const token = compiler.bind(stopToken(compiler.scope.run)).text;
  const isDue = `${positions} > ${CHECKED_FROM} and ${position} % ${CHECKED_EVERY} = 1`;
  return `case when (case when ${isDue} then vigil_stopped(${token}, ${position}) else false end) then null else ${body} end`;
}
