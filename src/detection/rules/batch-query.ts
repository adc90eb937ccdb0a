// The query of a batch rule: its own, that of its dataset, or the dataset's followed by the commands of the rule. The text of
// a dataset runs with the rights of the account that last changed it, not with those of the author of the rule.

import { type Account, NO_ACCOUNT } from '#access/caller.ts';
import { type ApiError, datasetWithoutAuthor, notFound } from '#contract/errors.ts';
import type { QueryRequest } from '#queries/query-request.ts';
import { joinedText } from '#query/language/joined-text.ts';
import type { Db } from '#store/kysely.ts';

interface BatchSource {
  readonly dataset_guid?: unknown;
  readonly query?: unknown;
}

interface BatchQuery extends Pick<QueryRequest, 'text' | 'lead'> {
  /** Error that prevents a run regardless of the text. */
  readonly refusal?: ApiError;
}

/** The text is empty, and so invalid, when the dataset was removed. */
export async function batchQueryOf(db: Db, { dataset_guid, query }: BatchSource): Promise<BatchQuery> {
  const own = typeof query === 'string' ? query : undefined;
  if (typeof dataset_guid !== 'string') return { text: own ?? '' };
  const dataset = await findDataset(db, dataset_guid);
  if (!dataset) return { text: '', refusal: notFound('dataset', dataset_guid) };
  const { name, query: text } = dataset;
  const author = authorOf(dataset);
  return {
    text: own === undefined ? text : joinedText(text, own),
    lead: { text, rest: own, account: author ?? NO_ACCOUNT },
    ...(author ? {} : { refusal: datasetWithoutAuthor(name) }),
  };
}

const findDataset = (db: Db, guid: string) =>
  db
    .selectFrom('datasets')
    .leftJoin('users', 'users.guid', 'datasets.query_user_guid')
    .select(['datasets.name', 'datasets.query', 'users.guid', 'users.login', 'users.role', 'users.company_guid'])
    .where('datasets.guid', '=', guid)
    .executeTakeFirst();

type FoundDataset = NonNullable<Awaited<ReturnType<typeof findDataset>>>;

/** Undefined when the account was removed. */
function authorOf({ guid, login, role, company_guid }: FoundDataset): Account | undefined {
  return guid && login && role && company_guid ? { userGuid: guid, login, role, companyGuid: company_guid } : undefined;
}
