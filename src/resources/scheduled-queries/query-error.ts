// What is wrong with a scheduled query: its text, in the words of a run that fails for it, or that what it follows has gone.

import { ApiError, notFound } from '#contract/errors.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import { invalidQueryError } from '#queries/query-ends.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { Value } from '#query/model/values.ts';
import type { ScheduledQueryRow } from '#store/schedule-schema.ts';
import { runnerOf } from './job.ts';
import type { ScheduledQueryView } from './store.ts';

/** A parameter that is not set. */
const NOT_SET = 90400;
/** Parameters that a text may expect of the query that it follows. */
const MAX_EXPECTED = 100;

/** Null where nothing is wrong. What a query that follows another one reads of it is not known before, and no mistake. */
export async function queryErrorOf(query: ScheduledQueryView, queries: LiveQueries): Promise<string | null> {
  const mistake = await textError(query, queries);
  if (mistake !== null) return mistake;
  const { preceding_guid, preceding_name } = query;
  // It is never due.
  const isLeft = preceding_guid !== null && preceding_name === null;
  return isLeft ? notFound('preceding query', preceding_guid).message : null;
}

async function textError(query: ScheduledQueryRow, queries: LiveQueries): Promise<string | null> {
  const expected = new Map<string, Value>();
  for (;;) {
    const mistake = await queryErrorIn(query, queries, expected);
    if (mistake === undefined) return null;
    const name = mistake.code === NOT_SET && query.trigger_type === 'workflow' ? mistake.values.name : undefined;
    if (name === undefined || expected.size >= MAX_EXPECTED) return invalidQueryError(mistake, query.query).message;
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
    // Something that the text names cannot be had at present, such as a table whose key is missing.
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
