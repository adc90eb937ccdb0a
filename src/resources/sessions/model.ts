// The console's sessions: a cookie in place of a key.

import { SESSION_COOKIE } from '#http/credentials.ts';

/** `token` empty clears the cookie. */
export function sessionCookie(token: string, isTls: boolean): { 'set-cookie': string } {
  const parts = [`${SESSION_COOKIE}=${token}`, 'HttpOnly', 'SameSite=Strict', 'Path=/'];
  if (isTls) parts.push('Secure');
  if (token === '') parts.push('Max-Age=0');
  return { 'set-cookie': parts.join('; ') };
}
