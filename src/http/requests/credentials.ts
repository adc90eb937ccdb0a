// Reads the credentials of a request, and with them the account that is calling.

import type { Accounts, FindCaller } from '#access/accounts/accounts.ts';
import { type Credentials, keysIn, type OriginKind, sessionCookieName } from '#operations/credentials.ts';
import type { Headers } from '#operations/requests/body-params.ts';

interface RequestHead {
  readonly method: string;
  readonly isTls: boolean;
  readonly origin: OriginKind;
  readonly headers: Headers;
}

/** What the credentials of an operation depend on. */
export interface CredentialRules {
  /** Whether the operation takes pushed logs. */
  readonly isSender: boolean;
}

/** Sent by the console with every request that it repeats by itself. */
const REFRESH_HEADER = 'x-vigil-refresh';

/** Undefined when the request has no credentials. A key takes precedence over a cookie. */
export function credentialsOf(head: RequestHead, rules: CredentialRules): Credentials | undefined {
  const { method, isTls, origin, headers } = head;
  const isActivity = headers[REFRESH_HEADER] !== 'true';
  const keys = keysIn(headers, rules.isSender);
  const at = (find: FindCaller | undefined) => async (remoteIp: string) => find?.({ remoteIp, isActivity });
  if (keys) return { isForeign: false, isReadable: keys.length > 0, read: (accounts) => at(finderOf(keys, accounts)) };
  const { cookie } = headers;
  const token = typeof cookie === 'string' ? cookieNamed(sessionCookieName(isTls), cookie) : undefined;
  if (token === undefined) return undefined;
  const isReading = method === 'GET' || method === 'HEAD';
  if (!isReading && origin !== 'own') return { isForeign: true, isReadable: false, read: () => at(undefined) };
  return { isForeign: false, isReadable: true, read: (accounts) => at(accounts.ofSession(token)) };
}

/** Reads the first of the possible keys, and each further one where there is no account of those before. */
function finderOf([first, ...others]: readonly string[], accounts: Accounts): FindCaller | undefined {
  if (first === undefined) return undefined;
  const find = accounts.ofKey(first);
  return async (request) => {
    let caller = await find(request);
    for (const key of others) caller ??= await accounts.byKey(key, request);
    return caller;
  };
}

function cookieNamed(name: string, cookies: string): string | undefined {
  for (const pair of cookies.split(';')) {
    const equals = pair.indexOf('=');
    if (pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
}
