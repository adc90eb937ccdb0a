// Conditions of stream rules (13), ready to judge records: the text is read once and becomes closures, of which each
// record goes through by itself. No record can stop a rule: what cannot be worked out is null.

import { NODE_NAME } from '#contract/values.ts';
import type { AddressGroup } from './evaluate/address-group.ts';
import { evaluateConstant } from './evaluate/index.ts';
import { compileSteps } from './evaluate/row-steps.ts';
import type { RunFacts } from './functions/function.ts';
import type { QueryWarning } from './mistake.ts';
import { checkCondition } from './query.ts';
import type { MapValue, Value } from './values.ts';

export interface RuleSurroundings {
  readonly zone: string;
  /** Whose rights the rule has. */
  readonly user: string;
  /** The rule's own constants. */
  readonly constants: ReadonlyMap<string, Value>;
  /** All address groups by GUID, in lower case; asked for with every record, so that they are replaced as a whole. */
  readonly groups: () => ReadonlyMap<string, AddressGroup>;
  readonly now: () => Temporal.Instant;
}

export interface Condition {
  /** Normalized. */
  readonly text: string;
  readonly warnings: readonly QueryWarning[];
  /** The row that comes out; undefined where the rule does not match. */
  readonly judge: (record: MapValue) => MapValue | undefined;
}

/** Throws the first QueryMistake in the text. */
export function compileRule(text: string, around: RuleSurroundings): Condition {
  const run = new RecordFacts(around);
  const { steps, normalized, warnings } = checkCondition(text, {
    now: around.now(),
    zone: around.zone,
    node: NODE_NAME,
    tables: new Map(),
    writableTables: new Set(),
    lookups: new Map(),
    parsers: new Map(),
    procedures: new Map(),
    groups: new Set(around.groups().keys()),
    systemObjects: new Set(),
    constants: around.constants,
    evaluate: (expression, constants) => evaluateConstant(expression, run, constants),
  });
  const constants = new Map<string, Value>([...around.constants, ['_timezone', around.zone]]);
  const judge = compileSteps(steps, { run, constants, isLenient: true });
  return {
    text: normalized,
    warnings,
    judge: (record) => {
      run.begin();
      return judge(record);
    },
  };
}

/** What a record is looked at with: one moment, and the groups of that moment. */
class RecordFacts implements RunFacts {
  readonly zone: string;
  readonly user: string;
  readonly #around: RuleSurroundings;
  #now: Temporal.Instant | undefined;

  constructor(around: RuleSurroundings) {
    this.zone = around.zone;
    this.user = around.user;
    this.#around = around;
  }

  begin(): void {
    this.#now = undefined;
  }

  get now(): Temporal.Instant {
    this.#now ??= this.#around.now();
    return this.#now;
  }

  get groups(): ReadonlyMap<string, AddressGroup> {
    return this.#around.groups();
  }

  nextRow(): bigint {
    throw new Error('records have no place in an order');
  }
}
