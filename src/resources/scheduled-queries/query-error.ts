// The current error of a scheduled query: that of its text, as in a failed run, or a removed preceding query.

import { ApiError, notFound } from '#contract/errors.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import { storedErrorText } from '#queries/status/query-ends.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { ScheduledQueryRow } from '#store/schema/schedule-schema.ts';
import { runnerOf } from './job.ts';
import type { ScheduledQueryView } from './store.ts';

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
  try {
    await queries.checked({
      caller: runnerOf(query),
      text: query.query,
      mayReceive: query.trigger_type === 'workflow',
    });
    return null;
  } catch (error) {
    if (error instanceof QueryError) return storedErrorText(error, query.query);
    // An object in the text is unavailable, such as a table with a missing key.
    if (error instanceof ApiError) return null;
    throw error;
  }
}
