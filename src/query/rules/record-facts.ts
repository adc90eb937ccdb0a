// What queries over single records are checked and evaluated with: conditions of stream rules, and parsers that are pipelines.

import type { RunFacts } from '#query/model/run-facts.ts';
import type { Value } from '#query/model/values.ts';
import type { KnownParser, QueryContext } from '#query/planning/query-context.ts';
import type { AddressGroup } from '#query/values/addresses/address-group.ts';
import { evaluateConstant } from '#query/values/evaluator/evaluator.ts';
import type { StepMeter } from '#query/values/steps.ts';

export interface RuleContext {
  readonly zone: string;
  /** The account whose rights the rule has. */
  readonly user: string;
  /** The constants of the rule. */
  readonly constants: ReadonlyMap<string, Value>;
  /** All address groups by GUID, in lower case; called for every record, because a change replaces the whole map. */
  readonly groups: () => ReadonlyMap<string, AddressGroup>;
  readonly now: () => Temporal.Instant;
  /** Limits the work for a record; the caller of `judge` marks where a record and a rule begin. */
  readonly steps?: StepMeter;
}

/** Only groups, and parsers where they are given, may be named: no command over a record reads a table. */
export function recordQuery(
  { steps: _, ...unmetered }: RuleContext,
  parsers: ReadonlyMap<string, KnownParser> = new Map(),
): QueryContext {
  const run = new RecordFacts(unmetered);
  return {
    now: unmetered.now(),
    zone: unmetered.zone,
    node: '',
    tables: new Map(),
    writableTables: new Set(),
    lookups: new Map(),
    memoryLookups: new Map(),
    mayMakeLookups: false,
    parsers,
    procedures: new Map(),
    groups: new Set(unmetered.groups().keys()),
    systemObjects: new Set(),
    constants: unmetered.constants,
    evaluate: (expression, constants) => evaluateConstant(expression, run, constants),
  };
}

/** The facts for one record: one time, and the groups at that time. */
export class RecordFacts implements RunFacts {
  readonly zone: string;
  readonly user: string;
  readonly steps?: StepMeter;
  readonly #context: RuleContext;
  #now: Temporal.Instant | undefined;

  constructor(context: RuleContext) {
    this.zone = context.zone;
    this.user = context.user;
    if (context.steps) this.steps = context.steps;
    this.#context = context;
  }

  begin(): void {
    this.#now = undefined;
  }

  get now(): Temporal.Instant {
    this.#now ??= this.#context.now();
    return this.#now;
  }

  get groups(): ReadonlyMap<string, AddressGroup> {
    return this.#context.groups();
  }

  nextRow(): bigint {
    throw new Error('records of a rule have no order');
  }
}
