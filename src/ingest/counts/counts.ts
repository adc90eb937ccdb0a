// Counts of logs and of what was dropped of them.

export interface Counts {
  readonly logs: number;
  readonly volume: number;
  readonly drops: number;
  readonly dropVolume: number;
}

export const sum = (one: Counts, other: Counts): Counts => ({
  logs: one.logs + other.logs,
  volume: one.volume + other.volume,
  drops: one.drops + other.drops,
  dropVolume: one.dropVolume + other.dropVolume,
});
