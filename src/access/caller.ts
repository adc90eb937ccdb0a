// The authenticated caller of a request.

import type { KeyScope, Locale, Role } from '#contract/values.ts';

/** The account named by an audit entry. */
export interface Actor {
  readonly userGuid: string;
  readonly login: string;
  readonly companyGuid: string;
}

/** The account whose rights are checked. */
export interface Rightful {
  readonly userGuid: string;
  readonly companyGuid: string;
  readonly role: Role;
}

/** An account on whose behalf work is done, with its rights. */
export interface Account extends Actor, Rightful {}

/** Stands for a deleted account: nothing is granted to it. */
export const NO_ACCOUNT: Account = { userGuid: '', login: '-', companyGuid: '', role: 'MEMBER' };

export interface Caller extends Account {
  readonly name: string;
  readonly locale: Locale;
  /** In which times are shown to the user; undefined for the zone of the service. */
  readonly timeZone?: string;
  /** A session of this account ends after this long without a request. */
  readonly idleTimeout: Temporal.Duration;
  readonly keyGuid: string;
  readonly keyScope: KeyScope;
  /** Number of the key's implicit session, to which all its Bearer requests belong. */
  readonly keySession: number;
  /** The console session of the request; absent for a Bearer key. */
  readonly sessionGuid?: string;
  /** Set for a run of the service on behalf of the account. */
  readonly isService?: true;
}

/**
 * For work of the service itself on behalf of an account: with the rights of an administrator, even if the account has
 * lost them.
 */
export const onBehalfOf = (actor: Actor): Caller => ({
  ...actor,
  name: actor.login,
  role: 'ADMIN',
  locale: 'en',
  idleTimeout: Temporal.Duration.from({ seconds: 0 }),
  keyGuid: '',
  keyScope: 'all',
  keySession: 0,
  isService: true,
});
