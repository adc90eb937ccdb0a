// The session of this browser. Its cookie is out of reach of scripts; what is known of it is its account.

import type { AnswerFor } from '#client/call.ts';
import { createState } from './state.ts';

export type Account = AnswerFor<'POST /api/core/sessions'>['user'];

export type Session =
  | { readonly state: 'unknown' }
  | { readonly state: 'signed-out' }
  /** It has ended while it was used. */
  | { readonly state: 'signed-out'; readonly reason: 'expired'; readonly account: Account }
  | { readonly state: 'signed-in'; readonly account: Account };

const state = createState<Session>({ state: 'unknown' });
export const useSession = state.use;

/** For what happens outside of components. */
export const isSignedIn = (): boolean => state.get().state === 'signed-in';

export const beginSession = (account: Account): void => state.set({ state: 'signed-in', account });

export const leaveSession = (): void => state.set({ state: 'signed-out' });

/** Called for an answer that says that there is no session. */
export function endSession(): void {
  const before = state.get();
  if (before.state === 'signed-out') return;
  state.set(
    before.state === 'signed-in'
      ? { state: 'signed-out', reason: 'expired', account: before.account }
      : { state: 'signed-out' },
  );
}

/** The account of the reader; not on the sign-in page. */
export function useAccount(): Account {
  const session = useSession();
  if (!('account' in session)) throw new Error('no session');
  return session.account;
}
