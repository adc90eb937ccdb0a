// Opens, finds and ends the session: by a key, by the one-time code of a link, or by the cookie of an earlier visit.

import { call } from './call.ts';
import { isRemembered, syncPreferences } from './preference.ts';
import { ServiceError } from './service-error.ts';
import { type Account, beginSession, leaveSession } from './session.ts';

/** Resolves to undefined where the session is open, else to the reason. */
export async function signIn(by: { api_key: string } | { code: string }): Promise<'refused' | 'too-many' | undefined> {
  try {
    const { user } = await call('POST /api/core/sessions', by);
    await enter(user);
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.status === 429 ? 'too-many' : 'refused';
  }
}

export type Opening =
  | { readonly state: 'open' }
  | { readonly state: 'wrong-code' }
  /** The link would replace the session of this account: the reader decides. */
  | { readonly state: 'asks'; readonly account: Account; readonly code: string };

/**
 * Continues the session of an earlier visit, or signs in by the code of the address. A link of another account must not
 * take over a session unnoticed: what the reader does next would be done, and seen, in the name of that account.
 */
export async function openSession(): Promise<Opening> {
  const code = takeCode();
  const account = await accountOfSession();
  if (account && code !== undefined) return { state: 'asks', account, code };
  if (account) await enter(account);
  if (code === undefined) return { state: 'open' };
  return { state: (await signIn({ code })) === undefined ? 'open' : 'wrong-code' };
}

/** Of an earlier visit; undefined where its session has ended. */
async function accountOfSession(): Promise<Account | undefined> {
  try {
    return (await call('GET /api/core/sessions')).user;
  } catch (error) {
    // Without a session the call has been refused, and the reader signs in.
    if (error instanceof ServiceError && error.status === 401) return undefined;
    throw error;
  }
}

/** A browser that does not know its reader waits for the choices of the account, so that the first page has them. */
export async function enter(account: Account): Promise<void> {
  const synced = syncPreferences();
  if (!isRemembered()) await synced;
  beginSession(account);
}

export async function signOut(): Promise<void> {
  await call('DELETE /api/core/sessions');
  leaveSession();
}

const CODE = /^#code=([\w-]+)$/;

/** The code of a one-time link. It is taken out of the address at once, so that it is neither copied nor kept in the history. */
function takeCode(): string | undefined {
  const code = CODE.exec(location.hash)?.[1];
  if (code !== undefined) history.replaceState(history.state, '', location.pathname + location.search);
  return code;
}
