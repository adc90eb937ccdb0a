// The credentials of a request: a Bearer key, or the console's cookie.

import type { Accounts } from '#access/accounts.ts';
import type { Caller } from '#access/caller.ts';
import type { OriginKind } from './origins.ts';

/** Browsers accept a cookie of the second name only under TLS, and send it only to its host. */
export const sessionCookieName = (isTls: boolean): string => (isTls ? '__Host-vigil_session' : 'vigil_session');

export interface Credentials {
  /** A cookie on a changing request from a page of another origin: it is not accepted as a credential. */
  readonly isForeign: boolean;
  callerFrom(accounts: Accounts, remoteIp: string): Promise<Caller | undefined>;
}

interface RequestHead {
  readonly method: string;
  readonly isTls: boolean;
  readonly origin: OriginKind;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Undefined when the request has no credentials. A key takes precedence over a cookie. */
export function credentialsOf({ method, isTls, origin, headers }: RequestHead): Credentials | undefined {
  const { authorization, cookie } = headers;
  if (typeof authorization === 'string') {
    const key = /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '';
    return { isForeign: false, callerFrom: (accounts, remoteIp) => accounts.byKey(key, remoteIp) };
  }
  const token = typeof cookie === 'string' ? cookieNamed(sessionCookieName(isTls), cookie) : undefined;
  if (token === undefined) return undefined;
  const isReading = method === 'GET' || method === 'HEAD';
  if (!isReading && origin !== 'own') return { isForeign: true, callerFrom: async () => undefined };
  return { isForeign: false, callerFrom: (accounts, remoteIp) => accounts.bySession(token, remoteIp) };
}

function cookieNamed(name: string, cookies: string): string | undefined {
  for (const pair of cookies.split(';')) {
    const equals = pair.indexOf('=');
    if (pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
}
