// Console sessions: a cookie instead of a key.

import { SESSION_LIFE } from '#access/accounts/account-uses.ts';
import type { Caller } from '#access/caller.ts';
import { LOCALES, ROLES } from '#contract/values.ts';
import { choice, guidText, string } from '#operations/answers/shapes.ts';
import { sessionCookieName } from '#operations/credentials.ts';

export const sessionUser = {
  guid: guidText('GUID of the user.'),
  login: string('Login name.', 'kim'),
  name: string('Name of the user.', 'Kim'),
  role_name: choice(ROLES)('Role of the user.', 'ADMIN'),
  locale: choice(LOCALES)('Language of messages and labels.', 'en'),
  time_zone: string('Time zone in which times are shown to the user.', 'Asia/Seoul'),
};

/** `zone` is that of the service. */
export const toSessionUser = ({ userGuid, login, name, role, locale, timeZone }: Caller, zone: string) => ({
  guid: userGuid,
  login,
  name,
  role_name: role,
  locale,
  time_zone: timeZone ?? zone,
});

/** `token` empty clears the cookie. */
export function sessionCookie(token: string, isTls: boolean): { 'set-cookie': string } {
  const seconds = token === '' ? 0 : SESSION_LIFE.total('seconds');
  const parts = [`${sessionCookieName(isTls)}=${token}`, 'HttpOnly', 'SameSite=Strict', 'Path=/', `Max-Age=${seconds}`];
  if (isTls) parts.push('Secure');
  return { 'set-cookie': parts.join('; ') };
}
