// Who is calling, once that is known.

import type { Locale, Role } from '#contract/values.ts';

/** Whom an audit entry names. */
export interface Actor {
  readonly userGuid: string;
  readonly login: string;
  readonly companyGuid: string;
}

/** Whose rights count: a caller, or somebody in whose name the service acts by itself. */
export interface Rights {
  readonly userGuid: string;
  readonly login: string;
  readonly role: Role;
}

export interface Caller extends Actor, Rights {
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
