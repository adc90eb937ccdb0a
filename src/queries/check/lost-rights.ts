// Whether a running query may still read its tables: its text is checked again, for the accounts as they are now.

import type { Accounts } from '#access/accounts/accounts.ts';
import { type Account, NO_ACCOUNT } from '#access/caller.ts';
import type { LiveQuery } from '#queries/live-query.ts';
import type { QueryRequest } from '#queries/query-request.ts';
import { type QueryEnd, queryEndOf } from '#queries/status/query-ends.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { QueryChecker } from './query-checker.ts';

/** No such table, no such procedure. Other objects are held as they were when the run began. */
const LOST = [10001, 10300];

/** A request for a check by the accounts as they are now, those that have written a part of its text or called it included. */
export async function presentRequest(request: QueryRequest, accounts: Pick<Accounts, 'byUser'>) {
  const present = async ({ userGuid }: Account): Promise<Account> => (await accounts.byUser(userGuid)) ?? NO_ACCOUNT;
  const { lead, calledBy } = request;
  return {
    ...request,
    isRun: true as const,
    ...(lead ? { lead: { ...lead, account: await present(lead.account) } } : {}),
    ...(calledBy ? { calledBy: await Promise.all(calledBy.map(present)) } : {}),
  };
}

/** The end of the query where `checker` no longer finds one of its tables or procedures. */
export async function lostRightOf(query: LiveQuery, checker: QueryChecker): Promise<QueryEnd | undefined> {
  const { text, caller } = query.request;
  const end = (error: QueryError) => queryEndOf(error, text, caller.locale);
  if (query.isFinished) return undefined;
  const { awaited } = query.checked.references;
  try {
    const { references } = await checker.check(query.interim);
    // A pattern of names leaves out tables that the account may not read.
    const [name] = awaited.difference(references.awaited);
    return name === undefined ? undefined : end(new QueryError(10001, { begin: 0, end: 0 }, { name }));
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return LOST.includes(error.code) ? end(error) : undefined;
  }
}
