// Evaluates the expressions of a node over local rows, or over records as they came.

import type { Expression } from '#query/model/expression.ts';
import type { RunFacts, Steps } from '#query/model/run-facts.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import { textOf } from '#query/values/conversions.ts';
import { compileCondition, compileExpression, type EvaluationScope } from '#query/values/evaluator/evaluator.ts';
import { RunFailure, StepsExceeded } from '#query/values/failures.ts';
import { JSON_WEIGHT, UnlimitedSteps } from '#query/values/steps.ts';

export interface LocalFacts extends Pick<EvaluationScope<never>, 'run' | 'constants'> {
  /**
   * Of records that arrive one by one: a value that is too large or too deep to be computed is null instead of the end of
   * the run, and nulls are left out of the record that comes out.
   */
  readonly isLenient?: true;
  readonly recordSteps?: RecordSteps;
}

/** Compiles a pipeline without a driver, from its given rows on: the record that comes out for one, or none. */
export type RecordSteps = (chain: readonly PlanNode[]) => (record: MapValue) => MapValue | undefined;

/** Copying 64 fields of a record takes so many steps. */
export const FIELD_WEIGHT = 16;

export const stepsOf = ({ run }: LocalFacts): Steps => run.steps ?? new UnlimitedSteps();

export class RowScope<In> {
  readonly run: RunFacts;
  readonly meter: Steps;
  readonly #facts: LocalFacts;
  readonly #scope: EvaluationScope<In>;

  constructor(facts: LocalFacts, field: EvaluationScope<In>['field']) {
    this.run = facts.run;
    this.meter = stepsOf(facts);
    this.#facts = facts;
    this.#scope = { ...facts, field };
  }

  recordSteps(chain: readonly PlanNode[]): ReturnType<RecordSteps> {
    const { recordSteps } = this.#facts;
    if (!recordSteps) throw new Error('no pipeline runs over single records here');
    return recordSteps(chain);
  }

  condition(expression: Expression): (given: In) => boolean {
    return this.lenient(compileCondition(expression, this.#scope), false);
  }

  value(expression: Expression): (given: In) => Value {
    return this.lenient(compileExpression(expression, this.#scope), null);
  }

  /** The text of a value, whatever its type. */
  text(expression: Expression): (given: In) => string | null {
    const { meter } = this;
    const { zone } = this.run;
    const read = compileExpression(expression, this.#scope);
    return this.lenient((given: In) => {
      const value = read(given);
      meter.take(1);
      meter.takeDeep(value, typeof value === 'string' ? 1 : JSON_WEIGHT);
      return textOf(value, zone);
    }, null);
  }

  /** `otherwise` in place of a failure of the run. */
  lenient<Out>(evaluate: (given: In) => Out, otherwise: Out): (given: In) => Out {
    if (!this.#facts.isLenient) return evaluate;
    return (given) => {
      try {
        return evaluate(given);
      } catch (failure) {
        if (failure instanceof StepsExceeded) throw failure;
        if (failure instanceof RangeError || failure instanceof RunFailure) return otherwise;
        throw failure;
      }
    };
  }
}
