// The forms of credentials: a Bearer key, or the console's cookie. Operations that take pushed logs also read a key where existing
// senders of logs put it.

import type { Accounts } from '#access/accounts/accounts.ts';
import type { Caller } from '#access/caller.ts';
import type { Headers } from './requests/body-params.ts';

/** Origin of the page that sent the request: `none` without an Origin header. */
export type OriginKind = 'own' | 'foreign' | 'none';

export interface Credentials {
  /** A cookie on a changing request from a page of another origin: it is not accepted as a credential. */
  readonly isForeign: boolean;
  /** Whether an account is read for them. */
  readonly isReadable: boolean;
  /** Begins to read the account; the caller is found in it once the address of the request is known. */
  read(accounts: Accounts): FindCallerAt;
}

export type FindCallerAt = (remoteIp: string) => Promise<Caller | undefined>;

/** Browsers accept a cookie of the second name only under TLS, and send it only to its host. */
export const sessionCookieName = (isTls: boolean): string => (isTls ? '__Host-vigil_session' : 'vigil_session');

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

/** The part behind the colon of `<name>:<secret>` in base64; empty where the value is none. */
function secretsOfPair(value: string): readonly string[] {
  const pair = Buffer.from(value, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  return colon === -1 ? [] : [pair.slice(colon + 1)];
}
