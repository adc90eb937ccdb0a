// The one shape of a bench, and what it finds. A bench answers a question with ratios taken within one run: absolute
// numbers of a shared machine mean little, how two things compare on it means something.

import type { SharedLogs } from './shared-logs.ts';

export interface Bench {
  /** Names the file, the results and the selection on the command line. */
  readonly name: string;
  readonly question: string;
  /** What the values are held against, measured in the same run. */
  readonly yardstick: string;
  readonly aim: string;
  run(effort: Effort): Promise<Findings>;
}

export interface Effort {
  /** A short version, to try the bench itself: its numbers are not kept. */
  readonly isQuick: boolean;
  /** Tells the person who waits what happens. */
  say(line: string): void;
  /** The uniform log, and the services filled with it, that the benches of one run share. */
  readonly logs: SharedLogs;
  /** The same of a ragged log: ingest and queries are measured with both. */
  readonly raggedLogs: SharedLogs;
}

/** The rows of the ragged log, told from those of the uniform one. */
export const ofRaggedLog = (rows: readonly Row[]): Row[] =>
  rows.map((row) => ({ ...row, what: `ragged, ${row.what}` }));

export interface Findings {
  readonly rows: readonly Row[];
  /** What a reader must know of how it was measured. */
  readonly notes: readonly string[];
}

export type Unit = '/s' | 'ms' | 'µs' | 's' | 'MB' | 'bytes' | 'rows';

export interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: Unit;
  /** In the same unit. */
  readonly yardstick?: number;
  readonly aim?: Aim;
}

/** A bound on the value itself, or on its ratio to the yardstick. */
export interface Aim {
  readonly of: 'ratio' | 'value';
  readonly is: 'at least' | 'at most';
  readonly bound: number;
}

export const ratioOf = ({ value, yardstick }: Row): number | undefined =>
  yardstick === undefined ? undefined : value / yardstick;

/** Undefined for a row that is only told. */
export function isMet(row: Row): boolean | undefined {
  if (!row.aim) return undefined;
  const { of, is, bound } = row.aim;
  const measured = of === 'value' ? row.value : (ratioOf(row) ?? Number.NaN);
  return is === 'at least' ? measured >= bound : measured <= bound;
}
