// References of a table.

import { notFound, profileClosed, tableClosed } from '#contract/errors.ts';
import type { Db } from '#store/kysely.ts';
import { exists } from '#store/rows/resolve.ts';
import type { Vault } from '#vault/vault.ts';
import type { TableView } from './store.ts';

export async function requireGroup(db: Db, guid: string | undefined): Promise<void> {
  if (guid !== undefined && !(await exists(db, 'table group', guid))) throw notFound('table group', guid);
}

export async function requireSchema(db: Db, code: string | undefined): Promise<void> {
  if (code !== undefined && !(await exists(db, 'log schema', code))) throw notFound('log schema', code);
}

/** Refuses a profile whose key is unavailable. */
export async function requireProfile(db: Db, vault: Vault, guid: string | undefined): Promise<void> {
  if (guid === undefined) return;
  if (!(await exists(db, 'crypto profile', guid))) throw notFound('crypto profile', guid);
  if (vault.isClosed(guid)) throw profileClosed(guid);
}

/** Checks before the commit that records can be changed after it. */
export function requireOpen({ name, crypto_profile_guid }: TableView, vault: Vault): void {
  if (crypto_profile_guid !== null && vault.isClosed(crypto_profile_guid)) throw tableClosed(name);
}
