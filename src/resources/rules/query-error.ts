// Why a rule cannot work now, in one sentence.

import { ApiError, notFound } from '#contract/errors.ts';
import { batchQueryOf } from '#detection/rules/batch-query.ts';
import { runnerOf } from '#detection/rules/batch-rule-job.ts';
import { missingIn } from '#detection/rules/rule-content.ts';
import type { Snapshot } from '#detection/rules/snapshot.ts';
import { requiredReferencesOf } from '#detection/stream/required-references.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import { storedErrorText } from '#queries/status/query-ends.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { Db } from '#store/kysely.ts';
import type { ResolvedReferences } from '#store/rows/resolve.ts';
import type { RuleRow } from '#store/schema/rule-schema.ts';

/** Null for a valid rule. Its commands are checked with the rights of a run. */
export async function batchQueryError(
  rule: RuleRow,
  content: Snapshot,
  { db, queries }: { readonly db: Db; readonly queries: LiveQueries },
): Promise<string | null> {
  const { text, lead, refusal } = await batchQueryOf(db, content);
  if (refusal) return refusal.message;
  try {
    await queries.checked({ caller: runnerOf(rule), text, lead });
    return null;
  } catch (error) {
    if (error instanceof QueryError) return storedErrorText(error, text);
    // An object in the text is unavailable, such as a table with a missing key.
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** Undefined when all required references exist. */
export function streamQueryError(content: Snapshot, names: ResolvedReferences): string | undefined {
  const missing = requiredReferencesOf(content, missingIn('stream', content, names))[0];
  return missing && notFound(missing.thing, missing.key).message;
}
