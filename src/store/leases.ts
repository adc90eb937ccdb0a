// Renewal and expiry, the same for all leases in the metadata database.

export const LEASE_RENEWAL_MS = 10_000;

/** A lease without a renewal for this long has expired. */
export const LEASE_MS = 60_000;
