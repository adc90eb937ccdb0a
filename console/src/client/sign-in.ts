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

/** The session of an earlier visit, where it has not ended. */
export async function findSession(): Promise<void> {
  try {
    const { user } = await call('GET /api/core/sessions');
    await enter(user);
  } catch (error) {
    // Without a session the call has been refused, and the reader signs in.
    if (!(error instanceof ServiceError && error.status === 401)) throw error;
  }
}

/** A browser that does not know its reader waits for the choices of the account, so that the first page has them. */
async function enter(account: Account): Promise<void> {
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
export function takeCode(): string | undefined {
  const code = CODE.exec(location.hash)?.[1];
  if (code !== undefined) history.replaceState(history.state, '', location.pathname + location.search);
  return code;
}
