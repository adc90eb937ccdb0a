// Accounts as people name them: by login or by GUID, or not at all when their own is meant.

import { isGuid } from '#kernel/guid.ts';
import { UsageError } from '#kernel/usage-error.ts';
import type { AnswerFor } from './call.ts';
import type { Client } from './client.ts';

export type User = AnswerFor<'GET /api/core/users'>['users'][number];

export async function findUser(client: Client, account: string): Promise<User> {
  const user = isGuid(account) ? await userByGuid(client, account) : await userByLogin(client, account);
  if (!user) throw new UsageError('no-such-account', { account });
  return user;
}

/** A GUID is taken as it is: whether it names an account is for the service to say. */
export const guidOfAccount = async (client: Client, account: string): Promise<string> =>
  isGuid(account) ? account : (await findUser(client, account)).guid;

/** No operation tells whose a key is. But everyone sees their own account, so who sees one account sees that. */
export async function guidOfOwnAccount(client: Client): Promise<string> {
  const { total_count, users } = await client.call('GET /api/core/users', { limit: 1 });
  const [own] = users;
  if (total_count !== 1 || !own) throw new UsageError('account-needed');
  return own.guid;
}

export const guidOrOwn = (client: Client, account: string | undefined): Promise<string> =>
  account === undefined ? guidOfOwnAccount(client) : guidOfAccount(client, account);

async function userByGuid(client: Client, guid: string): Promise<User | null> {
  const { user } = await client.call('GET /api/core/users/:guid', { guid });
  return user;
}

async function userByLogin(client: Client, login: string): Promise<User | undefined> {
  // Keywords are only contained, also in other fields.
  const { users } = await client.call('GET /api/core/users', { keywords: login });
  return users.find((user) => user.login === login);
}
