// How much one account may keep, by the settings: without such limits a single key could fill what all share.

export interface Quotas {
  readonly apiKeysPerUser: number;
  readonly sessionsPerUser: number;
  readonly datasetsPerAccount: number;
}
