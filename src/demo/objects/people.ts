// The accounts of the demo, of each role, with their keys.

import type { Client, Connection } from '#demo/connection.ts';
import { USER_GROUPS, USERS } from './guids.ts';

/** Clients of the accounts that act in the demo. */
export interface People {
  /** Role MASTER. */
  readonly master: Client;
  /** Role ADMIN. */
  readonly kim: Client;
  /** Role MEMBER. */
  readonly lee: Client;
  readonly keys: Keys;
}

export interface Keys {
  readonly kim: string;
  readonly lee: string;
  /** The key of the account that sends logs while the service runs. */
  readonly feed: string;
}

const ACCOUNTS = [
  {
    guid: USERS.kim,
    login: 'kim',
    name: '김철수',
    role: 'ADMIN',
    title: '팀장',
    dept: '보안관제팀',
    email: 'kim@hanbit.example',
    locale: 'ko',
  },
  {
    guid: USERS.lee,
    login: 'lee',
    name: '이영희',
    role: 'MEMBER',
    title: '분석가',
    dept: '보안관제팀',
    email: 'lee@hanbit.example',
    locale: 'ko',
  },
  {
    guid: USERS.park,
    login: 'park',
    name: 'Park Min-su',
    role: 'ADMIN',
    title: 'Auditor',
    dept: 'Compliance',
    email: 'park@hanbit.example',
    locale: 'en',
  },
  { guid: USERS.feed, login: 'feed', name: 'Log feed of the demo', role: 'MEMBER', dept: 'Demo' },
];

export async function makePeople(connection: Connection, masterKey: string): Promise<People> {
  const master = connection.as(masterKey);
  for (const account of ACCOUNTS) await master.post('/users', account);
  await master.post('/user-groups', {
    guid: USER_GROUPS.soc,
    name: '보안관제팀',
    description: 'Security operations: who looks at events and tickets',
    user_guids: [USERS.kim, USERS.lee],
  });
  const keyOf = async (user: string) =>
    (await master.post<{ api_key: string }>(`/users/${user}/api-keys`, { name: 'demo' })).api_key;
  const keys = { kim: await keyOf(USERS.kim), lee: await keyOf(USERS.lee), feed: await keyOf(USERS.feed) };
  return { master, kim: connection.as(keys.kim), lee: connection.as(keys.lee), keys };
}
