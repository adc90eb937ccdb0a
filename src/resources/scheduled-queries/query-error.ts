// The current error of a scheduled query: that of its text, as in a failed run, or a removed preceding query.

import { ApiError, notFound } from '#contract/errors.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import { storedErrorText } from '#queries/query-ends.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { Value } from '#query/model/values.ts';
import type { ScheduledQueryRow } from '#store/schedule-schema.ts';
import { runnerOf } from './job.ts';
import type { ScheduledQueryView } from './store.ts';

/** Error code of an unset parameter. */
const NOT_SET = 90400;
/** Maximum of parameters that a text may expect from the preceding query. */
const MAX_EXPECTED = 100;

/** Null for a valid query. Parameters from a preceding query are unknown before its run, and not an error. */
export async function queryErrorOf(query: ScheduledQueryView, queries: LiveQueries): Promise<string | null> {
  const mistake = await textError(query, queries);
  if (mistake !== null) return mistake;
  const { preceding_guid, preceding_name } = query;
  // A schedule without any due time.
  const isLeft = preceding_guid !== null && preceding_name === null;
  return isLeft ? notFound('preceding query', preceding_guid).message : null;
}

async function textError(query: ScheduledQueryRow, queries: LiveQueries): Promise<string | null> {
  const expected = new Map<string, Value>();
  for (;;) {
    const mistake = await queryErrorIn(query, queries, expected);
    if (mistake === undefined) return null;
    const name = mistake.code === NOT_SET && query.trigger_type === 'workflow' ? mistake.values.name : undefined;
    if (name === undefined || expected.size >= MAX_EXPECTED) return storedErrorText(mistake, query.query);
    expected.set(String(name), null);
  }
}

async function queryErrorIn(
  query: ScheduledQueryRow,
  queries: LiveQueries,
  constants: ReadonlyMap<string, Value>,
): Promise<QueryError | undefined> {
  try {
    await queries.checked({ caller: runnerOf(query), text: query.query, constants });
    return undefined;
  } catch (error) {
    if (error instanceof QueryError) return error;
    // An object in the text is unavailable, such as a table with a missing key.
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
