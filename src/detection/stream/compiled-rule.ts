// A stream rule ready to judge records: its conditions in their order, each on what the one before has let out.

import type { RuleVersion } from '#detection/raise-events.ts';
import type { MapValue } from '#query/model/values.ts';
import type { Clues } from '#query/rules/clues.ts';
import type { Reading } from '#query/rules/condition.ts';

/** A condition of a rule as it is looked at. */
export interface Stage {
  readonly ordinal: number;
  /** Normalized. */
  readonly text: string;
  /** The fields that it reads of what is handed to it. */
  readonly reads: readonly string[];
  /** Whether it holds where the text does not let a record pass. */
  readonly isNegated: boolean;
  readonly judge: (record: MapValue) => MapValue | undefined;
}

/** The conditions of a rule, or of one that is being written. */
export interface Stages {
  readonly stages: readonly Stage[];
  /** What a record must have to get through all of them. */
  readonly clues: readonly Clues<Reading>[];
}

export interface StreamRule extends Stages {
  readonly rule: RuleVersion;
  /** Tells it from one that is made again under its GUID. */
  readonly createdAt: number;
  readonly schema: string;
  /** Whose logs it looks at; undefined for all. */
  readonly loggers: ReadonlySet<string> | undefined;
  readonly models: ReadonlySet<string> | undefined;
}

/** The row that comes out of all conditions; undefined where one keeps it back. */
export function evaluateStages({ stages }: Stages, record: MapValue): MapValue | undefined {
  let row: MapValue | undefined = record;
  for (const { judge } of stages) {
    row = judge(row);
    if (!row) return undefined;
  }
  return row;
}
