// A stored parser that is a pipeline, for lines of logs as they arrive.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import { compileSteps } from '#query/local/record-steps.ts';
import type { MapValue } from '#query/model/values.ts';
import type { KnownParser } from '#query/planning/query-context.ts';
import { checkParser } from '#query/query.ts';
import { RunFailure, StepsExceeded } from '#query/values/failures.ts';
import { RecordFacts, type RuleContext, recordQuery } from './record-facts.ts';

interface ParserContext extends RuleContext {
  /** That its text may name. */
  readonly parsers: ReadonlyMap<string, KnownParser>;
  /** Called when a line takes too many steps; the line cannot be read unless it throws. */
  exceed(): void;
}

/** The fields of a line; undefined where it cannot be read. Throws the first QueryError in the text. */
export function* compileLineParser(
  text: string,
  context: ParserContext,
): SlicedWork<(line: string) => MapValue | undefined> {
  const run = new RecordFacts(context);
  const { steps } = yield* checkParser(text, recordQuery(context, context.parsers));
  const { pass } = compileSteps(steps, { run, constants: context.constants, isLenient: true });
  return (line) => {
    run.begin();
    context.steps?.beginRecord();
    try {
      return madeOf(pass(new Map([['line', line]])), line);
    } catch (failure) {
      if (!(failure instanceof RunFailure)) throw failure;
      if (failure instanceof StepsExceeded) context.exceed();
      return undefined;
    }
  };
}

/** The line itself is no field that the commands made. */
function madeOf(fields: MapValue | undefined, line: string): MapValue | undefined {
  if (fields?.get('line') !== line) return fields;
  return new Map([...fields].filter(([name]) => name !== 'line'));
}
