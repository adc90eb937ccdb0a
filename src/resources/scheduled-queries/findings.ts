// Errors, warnings and hints about the text of a new scheduled query. They refuse nothing: any text is accepted.

import { type Caller, onBehalfOf } from '#access/caller.ts';
import { ApiError } from '#contract/errors.ts';
import { type AnswerFindings, listedFindings } from '#queries/check/text-check.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import type { FindingReport } from '#query/model/query-error.ts';

/** Number of the finding about a parameter without a value. */
const NOT_SET = 90400;

interface NewTextFindings extends AnswerFindings {
  readonly mistakes?: readonly FindingReport[];
}

/** The text is checked with the rights that it will run with; a follower may get parameters from the preceding query. */
export async function findingsIn(
  { query, trigger_type }: { readonly query: string; readonly trigger_type: string },
  queries: LiveQueries,
  caller: Caller,
): Promise<NewTextFindings> {
  try {
    const found = await queries.check({ caller: onBehalfOf(caller), text: query }, caller.locale);
    const isOwn = ({ code }: FindingReport) => trigger_type !== 'workflow' || code !== NOT_SET;
    const mistakes = found.mistakes.filter(isOwn);
    const beside = listedFindings({ warnings: found.warnings.filter(isOwn), hints: found.hints });
    return { ...(mistakes.length > 0 ? { mistakes } : {}), ...beside };
  } catch (error) {
    // An object in the text is unavailable, such as a table with a missing key.
    if (error instanceof ApiError) return {};
    throw error;
  }
}
