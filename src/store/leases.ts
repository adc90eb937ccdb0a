// What all leases in the metadata database have in common: how often they are renewed, and when they have ended.

export const LEASE_RENEWAL_MS = 10_000;

/** A lease that was not renewed for so long has ended. */
export const LEASE_MS = 60_000;
