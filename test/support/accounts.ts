// Accounts for tests: a user of a role in a company, with a key of its own.

import type { Service } from './service.ts';

export interface Account {
  readonly guid: string;
  readonly login: string;
  readonly key: string;
  readonly keyGuid: string;
}

type Role = 'MASTER' | 'ADMIN' | 'MEMBER';
type Caller = Pick<Service, 'call'>;

export interface Team {
  readonly company: string;
  readonly admin: Account;
  readonly member: Account;
}

/** A company with an ADMIN `<name>-admin` and a MEMBER `<name>-member`. */
export async function createTeam(service: Caller, name: string): Promise<Team> {
  const company = await created(service, '/api/core/companies', { name });
  return {
    company,
    admin: await createAccount(service, 'ADMIN', { login: `${name}-admin`, company_guid: company }),
    member: await createAccount(service, 'MEMBER', { login: `${name}-member`, company_guid: company }),
  };
}

export async function createAccount(
  service: Caller,
  role: Role,
  { login, ...fields }: { readonly login: string; readonly [name: string]: string },
): Promise<Account> {
  const guid = await created(service, '/api/core/users', { login, name: login, role, ...fields });
  return { guid, login, ...(await createKey(service, guid)) };
}

export async function createKey(
  service: Caller,
  userGuid: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<{ key: string; keyGuid: string }> {
  const answer = await service.call('POST', `/api/core/users/${userGuid}/api-keys`, {
    form: { name: 'test', ...fields },
  });
  if (answer.status !== 200) throw new Error(`no key: ${answer.text}`);
  return { key: answer.json.api_key, keyGuid: answer.json.guid };
}

/** The guid of a new object, made with the master key. */
export async function created(service: Caller, path: string, form: Readonly<Record<string, string>>): Promise<string> {
  const answer = await service.call('POST', path, { form });
  if (answer.status !== 200) throw new Error(`not created: ${answer.text}`);
  return answer.json.guid;
}

export async function masterGuid(service: Caller): Promise<string> {
  const { json } = await service.call('GET', '/api/core/users?keywords=master');
  return json.users.find(({ login }: { login: string }) => login === 'master').guid;
}
