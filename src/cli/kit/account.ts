// Accounts as arguments name them: by login or by GUID; without an argument, the account of the key.

import type { AnswerFor } from '#client/call.ts';
import { isGuid } from '#kernel/guid.ts';
import { UsageError } from '#kernel/usage-error.ts';
import type { Client } from './client.ts';
import type { Flags } from './command.ts';

export const trustHostsFlag: Flags = {
  'trust-hosts': {
    hint: 'A,B',
    about: {
      en: 'addresses or networks that calls may come from; empty: anywhere',
      ko: '호출을 허용할 주소나 네트워크, 비우면 제한 없음',
    },
    sends: 'trust_hosts',
    isList: true,
  },
};

export type User = AnswerFor<'GET /api/core/users'>['users'][number];

export async function findUser(client: Client, account: string): Promise<User> {
  const user = isGuid(account) ? await userByGuid(client, account) : await userByLogin(client, account);
  if (!user) throw new UsageError('no-such-account', { account });
  return user;
}

/** A GUID is passed on unchecked: the service refuses a GUID of no account. */
export const guidOfAccount = async (client: Client, account: string): Promise<string> =>
  isGuid(account) ? account : (await findUser(client, account)).guid;

export const guidOrOwn = async (client: Client, account: string | undefined): Promise<string> =>
  account === undefined ? (await client.call('GET /api/core/sessions', {})).user.guid : guidOfAccount(client, account);

async function userByGuid(client: Client, guid: string): Promise<User | null> {
  const { user } = await client.call('GET /api/core/users/:guid', { guid });
  return user;
}

async function userByLogin(client: Client, login: string): Promise<User | undefined> {
  // The parameter keywords also matches parts of logins, and other fields.
  const { users } = await client.call('GET /api/core/users', { keywords: login });
  return users.find((user) => user.login === login);
}
