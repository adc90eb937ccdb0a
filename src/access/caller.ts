// Who is calling, once that is known.

import type { Locale, Role } from '#contract/values.ts';

export interface Caller {
  readonly userGuid: string;
  readonly login: string;
  readonly name: string;
  readonly role: Role;
  readonly companyGuid: string;
  readonly locale: Locale;
  /** How long a session of this account may rest. */
  readonly idleTimeout: Temporal.Duration;
  readonly keyGuid: string;
  /** The console session the request came with; absent for a Bearer key. */
  readonly sessionGuid?: string;
}
