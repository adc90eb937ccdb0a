// The error of a query that did not end by itself.

import { countText } from '#cli/kit/output/numbers.ts';
import type { Translator } from '#cli/kit/translator.ts';
import type { AnswerFor } from '#client/call.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { translated } from '#query/model/translated-messages.ts';

type EndedQuery = Pick<
  AnswerFor<'GET /api/core/queries/:id'>,
  'rows' | 'is_cancelled' | 'error_code' | 'error_detail' | 'cancel_reason'
>;

/** Undefined for a query that was neither cancelled nor failed. */
export function queryFailure(
  { rows, is_cancelled, error_code, error_detail = '', cancel_reason = '' }: EndedQuery,
  language: Translator['language'],
): UsageError | undefined {
  if (!is_cancelled && error_code === undefined) return undefined;
  const count = countText(rows);
  if (error_code === undefined) return new UsageError('query-ended', { reason: cancel_reason, rows: count });
  const reason = `${translated(error_detail, [error_code], language)} (${error_code})`;
  return new UsageError('query-failed', { reason, rows: count });
}
