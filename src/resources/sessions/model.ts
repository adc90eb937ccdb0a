// Console sessions: a cookie instead of a key.

import { SESSION_LIFE } from '#access/accounts.ts';
import { sessionCookieName } from '#http/credentials.ts';

/** `token` empty clears the cookie. */
export function sessionCookie(token: string, isTls: boolean): { 'set-cookie': string } {
  const seconds = token === '' ? 0 : SESSION_LIFE.total('seconds');
  const parts = [`${sessionCookieName(isTls)}=${token}`, 'HttpOnly', 'SameSite=Strict', 'Path=/', `Max-Age=${seconds}`];
  if (isTls) parts.push('Secure');
  return { 'set-cookie': parts.join('; ') };
}
