// The first start on a database: the company `default`, the account `master` and its key.

import { hashOf, MIN_MASTER_KEY, newApiKey, prefixOf } from '#access/accounts/keys.ts';
import { createSignInCode } from '#access/accounts/sign-in-codes.ts';
import { NO_USER } from '#audit/entry.ts';
import type { Trail } from '#audit/trail.ts';
import { isGuid, newGuid } from '#kernel/guid.ts';
import { searchText } from '#kernel/text/search-text.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { UsageError } from '#kernel/usage-error.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import { type InstallationRows, readInstallation, recordInstallation } from './installation-keys.ts';

const MASTER = 'master';
/** The address in audit entries of commands on the machine itself. */
export const LOCAL_ADDRESS = '127.0.0.1';

export interface Installation {
  readonly guid: string;
  /** True at the first start on this database. */
  readonly isNew: boolean;
  /** The keys that a first start records. */
  readonly rows: InstallationRows;
}

/** The GUID of this database since its first start; a new one before it. */
export async function identifyInstallation(store: Store): Promise<Installation> {
  const { guid } = await readInstallation(store);
  if (guid === undefined) return { guid: newGuid(), isNew: true, rows: {} };
  // The GUID names a file in the keys folder: a writer of the database must not be able to choose the path.
  if (!isGuid(guid)) throw new UsageError('installation-not-guid', { guid });
  return { guid, isNew: false, rows: {} };
}

/** Creates the account `master` at the first start. Resolves to its key when the key was created here and must be shown once. */
export async function install(
  { guid, isNew, rows }: Installation,
  { trail, clock, masterKey }: { trail: Trail; clock: Clock; masterKey?: string | undefined },
): Promise<string | undefined> {
  if (!isNew) return undefined;
  if (masterKey !== undefined && [...masterKey].length < MIN_MASTER_KEY) {
    throw new UsageError('master-key-too-short', { least: String(MIN_MASTER_KEY) });
  }
  const key = masterKey ?? newApiKey();
  const now = clock.now().epochMilliseconds;
  await trail.change(
    (db) => createMaster(db, { installation: { ...rows, guid }, key, now }),
    () => ({
      user_name: NO_USER,
      remote_ip: LOCAL_ADDRESS,
      module: 'service',
      method: 'install',
      msg_params: { login: MASTER },
    }),
  );
  return masterKey === undefined ? key : undefined;
}

interface NewMaster {
  readonly installation: InstallationRows;
  readonly key: string;
  readonly now: number;
}

async function createMaster(db: Db, { installation, key, now }: NewMaster) {
  const dated = { created_at: now, updated_at: now };
  const company = { guid: newGuid(), name: 'default', description: null, search: searchText(['default']), ...dated };
  const user = {
    guid: newGuid(),
    login: MASTER,
    name: MASTER,
    role: 'MASTER',
    title: null,
    dept: null,
    phone: null,
    mobile: null,
    email: null,
    locale: 'en',
    time_zone: null,
    company_guid: company.guid,
    trust_hosts: '[]',
    idle_timeout: 3600,
    search: searchText([MASTER, MASTER]),
    ...dated,
  } as const;
  await db.insertInto('companies').values(company).execute();
  await db.insertInto('users').values(user).execute();
  await insertMasterKey(db, { userGuid: user.guid, key, now });
  await recordInstallation(db, installation);
}

async function insertMasterKey(db: Db, { userGuid, key, now }: { userGuid: string; key: string; now: number }) {
  await db
    .insertInto('api_keys')
    .values({
      guid: newGuid(),
      user_guid: userGuid,
      name: MASTER,
      prefix: prefixOf(key),
      hash: hashOf(key),
      trust_hosts: '[]',
      expires_at: null,
      last_used: null,
      search: searchText([MASTER]),
      created_at: now,
    })
    .execute();
}

export const MASTER_KEY_IGNORED =
  'VIGIL_MASTER_KEY is read at the first start only and is no key of the account master: vigil key reset-master sets a new one';

/** Whether this is a valid key of the account `master`. */
export async function isKeyOfMaster(store: Store, key: string, clock: Clock): Promise<boolean> {
  const [found] = await store.reader.all(
    `select 1 from api_keys k join users u on u.guid = k.user_guid
     where u.login = ? and k.hash = ? and (k.expires_at is null or k.expires_at > ?)`,
    [MASTER, hashOf(key), clock.now().epochMilliseconds],
  );
  return found !== undefined;
}

/** A one-time code that stands for the first valid key of `master`; undefined without one. */
export async function signInCodeOfMaster({
  store,
  trail,
  clock,
}: {
  store: Store;
  trail: Trail;
  clock: Clock;
}): Promise<string | undefined> {
  const now = clock.now();
  const [key] = await store.reader.all(
    `select k.guid, u.guid as user_guid, u.company_guid from api_keys k join users u on u.guid = k.user_guid
     where u.login = ? and k.scope = 'all' and (k.expires_at is null or k.expires_at > ?) order by k.created_at, k.guid limit 1`,
    [MASTER, now.epochMilliseconds],
  );
  if (!key) return undefined;
  const keyGuid = String(key.guid);
  const userGuid = String(key.user_guid);
  const { code } = await trail.change(
    (db) => createSignInCode(db, { keyGuid, userGuid, now }),
    () => ({
      user_guid: userGuid,
      company_guid: String(key.company_guid),
      user_name: MASTER,
      remote_ip: LOCAL_ADDRESS,
      module: 'auth',
      method: 'code',
      msg_params: { login: MASTER },
    }),
  );
  return code;
}

/** Replaces all keys of `master` by a new one; makes the account a MASTER again should it have been demoted. */
export async function resetMasterKey({ trail, clock }: { trail: Trail; clock: Clock }): Promise<string> {
  const key = newApiKey();
  const now = clock.now().epochMilliseconds;
  await trail.change(
    (db) => replaceMasterKeys(db, key, now),
    (outcome) => ({
      user_name: NO_USER,
      remote_ip: LOCAL_ADDRESS,
      module: 'users',
      method: 'reset-master',
      ...('error' in outcome
        ? { msg_params: { login: MASTER }, error: `user not found: ${MASTER}` }
        : { msg_params: { login: MASTER, ...outcome.value } }),
    }),
  );
  return key;
}

/** Resolves to the account. */
async function replaceMasterKeys(db: Db, key: string, now: number): Promise<{ guid: string; name: string }> {
  const user = await db.selectFrom('users').select(['guid', 'name']).where('login', '=', MASTER).executeTakeFirst();
  if (!user) throw new UsageError('no-master-account');
  await db.deleteFrom('api_keys').where('user_guid', '=', user.guid).execute();
  await db.updateTable('users').set({ role: 'MASTER', trust_hosts: '[]' }).where('guid', '=', user.guid).execute();
  await insertMasterKey(db, { userGuid: user.guid, key, now });
  return user;
}
