// Storage limits per account, from the settings: without them a single key could fill what all accounts share.

export interface Quotas {
  readonly apiKeysPerUser: number;
  readonly sessionsPerUser: number;
  readonly datasetsPerAccount: number;
  readonly dashboardsPerAccount: number;
}
