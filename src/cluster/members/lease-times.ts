// Renewal and expiry, the same for all leases of a process in the metadata database.

export interface LeaseTimes {
  readonly renewalMs: number;
  /** A lease without a renewal for this long has expired. */
  readonly leaseMs: number;
}

export const LEASE_TIMES: LeaseTimes = { renewalMs: 10_000, leaseMs: 60_000 };
