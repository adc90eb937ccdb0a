// A compiled stream rule: its conditions as stages, each on the output of the previous one.

import type { RuleVersion } from '#detection/events/raise-input.ts';
import type { Clues } from '#query/model/clue.ts';
import type { MapValue } from '#query/model/values.ts';
import type { Reading } from '#query/rules/condition.ts';

/** A compiled condition. */
export interface Stage {
  readonly ordinal: number;
  /** Normalized. */
  readonly text: string;
  /** The fields that it reads from its input. */
  readonly reads: readonly string[];
  /** Whether the condition is inverted. */
  readonly isNegated: boolean;
  readonly judge: (record: MapValue) => MapValue | undefined;
}

/** The conditions of a rule or draft. */
export interface Stages {
  readonly stages: readonly Stage[];
  /** Necessary conditions for a record to pass all stages. */
  readonly clues: readonly Clues<Reading>[];
}

export interface StreamRule extends Stages {
  readonly rule: RuleVersion;
  /** Distinguishes it from a rule created again with the same GUID. */
  readonly createdAt: number;
  readonly schema: string;
  /** Selected loggers; undefined for all. */
  readonly loggers: ReadonlySet<string> | undefined;
  readonly models: ReadonlySet<string> | undefined;
}

/** The row after all stages; undefined where a stage rejects it. */
export function evaluateStages({ stages }: Stages, record: MapValue): MapValue | undefined {
  let row: MapValue | undefined = record;
  for (const { judge } of stages) {
    row = judge(row);
    if (!row) return undefined;
  }
  return row;
}
