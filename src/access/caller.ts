// Who is calling, once that is known.

import type { Locale, Role } from '#contract/values.ts';

/** Whom an audit entry names. */
export interface Actor {
  readonly userGuid: string;
  readonly login: string;
  readonly companyGuid: string;
}

/** Whose rights count. */
export interface Rightful {
  readonly userGuid: string;
  readonly companyGuid: string;
  readonly role: Role;
}

/** An account that something is done in the name of, with its rights. */
export interface Account extends Actor, Rightful {}

/** Stands for an account that has gone: nothing is granted to it. */
export const NO_ACCOUNT: Account = { userGuid: '', login: '-', companyGuid: '', role: 'MEMBER' };

export interface Caller extends Account {
  readonly name: string;
  readonly locale: Locale;
  /** How long a session of this account may rest. */
  readonly idleTimeout: Temporal.Duration;
  readonly keyGuid: string;
  /** The number of the key's implicit session, of which all its Bearer requests are a part. */
  readonly keySession: number;
  /** The console session the request came with; absent for a Bearer key. */
  readonly sessionGuid?: string;
}

/** For what the service does by itself in somebody's name: with the rights of an administrator, whatever has become of them. */
export const inNameOf = (actor: Actor): Caller => ({
  ...actor,
  name: actor.login,
  role: 'ADMIN',
  locale: 'en',
  idleTimeout: Temporal.Duration.from({ seconds: 0 }),
  keyGuid: '',
  keySession: 0,
});
