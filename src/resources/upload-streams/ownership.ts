// The owner of a token: the account that opened the stream, from the same address.

import { type ApiError, CountedApiError, noUploadStream } from '#contract/errors.ts';
import { isGuid } from '#kernel/guid.ts';
import type { Call, TokenOwner } from '#operations/endpoint.ts';
import type { UploadStreamRow } from '#store/schema/schema.ts';
import type { Store } from '#store/store.ts';
import { findOpenStream } from './uploads/store.ts';
import type { Uploads } from './uploads/uploads.ts';

type Needs = Pick<Call, 'db' | 'remoteIp'> & { readonly uploads: Uploads };

export const ownerOfRow = (row: UploadStreamRow): TokenOwner => ({
  actor: { userGuid: row.user_guid, login: row.login_name, companyGuid: row.company_guid },
  noted: { token: row.token, name: row.file_name, file_name: row.file_name, ...targetOf(row) },
});

/** What the bytes are for. */
const targetOf = ({ table_name, lookup_guid }: UploadStreamRow) =>
  lookup_guid === null ? { table: table_name } : { lookup: table_name };

export async function ownerOf(
  { token = '' }: Readonly<Record<string, string>>,
  { db, remoteIp, uploads }: Needs,
): Promise<TokenOwner | undefined> {
  const row = await uploads.find(db, { token, remoteIp });
  return row && ownerOfRow(row);
}

/** The node that holds the bytes of a stream in progress; undefined where any node can answer for the token. */
export async function nodeOf(token: string, { store, uploads }: { store: Store; uploads: Uploads }) {
  const row = isGuid(token) ? await store.read((db) => findOpenStream(db, token, uploads.since)) : undefined;
  return row?.node ?? undefined;
}

/** A token used from another address may be stolen: the audit trail records it, the response does not reveal it. */
export async function noStreamFor(token: string, action: string, { db, uploads }: Needs): Promise<ApiError> {
  const row = await findOpenStream(db, token, uploads.since);
  const refusal = noUploadStream(token);
  if (!row) return refusal;
  const { file_name, table_name: table, login_name: login } = row;
  return new CountedApiError(refusal, `${action} ${row.token}`, { file_name, table, login });
}
