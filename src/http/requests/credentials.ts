// The credentials of a request: a Bearer key, or the console's cookie. Operations that take pushed logs also read a key
// where existing senders of logs put it.

import type { Accounts, FindCaller } from '#access/accounts.ts';
import type { Caller } from '#access/caller.ts';
import type { OriginKind } from './origins.ts';

/** Browsers accept a cookie of the second name only under TLS, and send it only to its host. */
export const sessionCookieName = (isTls: boolean): string => (isTls ? '__Host-vigil_session' : 'vigil_session');

export interface Credentials {
  /** A cookie on a changing request from a page of another origin: it is not accepted as a credential. */
  readonly isForeign: boolean;
  /** Whether an account is read for them. */
  readonly isReadable: boolean;
  /** Begins to read the account; the caller is found in it once the address of the request is known. */
  read(accounts: Accounts): FindCallerAt;
}

export type FindCallerAt = (remoteIp: string) => Promise<Caller | undefined>;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

interface RequestHead {
  readonly method: string;
  readonly isTls: boolean;
  readonly origin: OriginKind;
  readonly headers: Headers;
}

/** A form of the header `Authorization`. */
interface KeyScheme {
  readonly name: string;
  readonly about: string;
  /** The possible keys in what follows the name of the scheme. */
  keysOf(value: string): readonly string[];
}

const BEARER: KeyScheme = { name: 'Bearer', about: 'An API key.', keysOf: (value) => [value] };

/** Schemes that only operations taking pushed logs read. */
export const SENDER_SCHEMES: readonly KeyScheme[] = [
  {
    name: 'ApiKey',
    about: 'An API key, or base64 of `<id>:<key>` with any id.',
    keysOf: (value) => [value, ...secretsOfPair(value)],
  },
  { name: 'Splunk', about: 'An API key.', keysOf: (value) => [value] },
  { name: 'Basic', about: 'An API key as the password, with any user name.', keysOf: secretsOfPair },
];

/** Read by the same operations, in requests without `Authorization`. */
export const SENDER_KEY_HEADER = 'X-API-Key';

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

/** The possible keys of a request, none where they are malformed; undefined where the request sends no key. */
export function keysIn(headers: Headers, isSender: boolean): readonly string[] | undefined {
  const { authorization } = headers;
  if (typeof authorization === 'string') {
    const [, name = '', value = ''] = /^(\S+) +(\S+) *$/.exec(authorization) ?? [];
    const schemes = isSender ? [BEARER, ...SENDER_SCHEMES] : [BEARER];
    const scheme = schemes.find((one) => one.name.toLowerCase() === name.toLowerCase());
    return scheme?.keysOf(value) ?? [];
  }
  const key = isSender ? headers[SENDER_KEY_HEADER.toLowerCase()] : undefined;
  return typeof key === 'string' ? [key.trim()] : undefined;
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

/** The part behind the colon of `<name>:<secret>` in base64; empty where the value is none. */
function secretsOfPair(value: string): readonly string[] {
  const pair = Buffer.from(value, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  return colon === -1 ? [] : [pair.slice(colon + 1)];
}

function cookieNamed(name: string, cookies: string): string | undefined {
  for (const pair of cookies.split(';')) {
    const equals = pair.indexOf('=');
    if (pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
}
