// How many days a ledger shows. Addresses hold it, and are read before the ledger is loaded.

export const LEDGER_DAYS = [7, 14, 30] as const;
export type LedgerDays = (typeof LEDGER_DAYS)[number];
