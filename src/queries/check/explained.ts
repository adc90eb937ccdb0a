// The parts of an explained query that differ from a query that is run for its rows.

import type { LogStore } from '#logs/log-store.ts';
import type { CheckRequest } from '#queries/query-request.ts';
import { rejectInvalid } from '#queries/status/query-ends.ts';
import type { QueryStages } from '#queries/status/query-stages.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { CheckedQuery } from '#query/query.ts';
import type { QueryChecker } from './query-checker.ts';

/** An explained query drops its rows, so nothing of them may be stored. */
export async function refuseSinks({ references }: CheckedQuery): Promise<void> {
  const [first] = references.sinks;
  if (first) throw new QueryError(92002, first, { name: first.name });
}

interface CheckedText {
  readonly checker: QueryChecker;
  readonly checked: CheckedQuery;
}

interface CheckedTexts {
  /** Refuses a text with an error. */
  validate(request: CheckRequest): Promise<CheckedText>;
}

interface Outlining {
  readonly queries: CheckedTexts;
  readonly engine: LogStore;
  readonly stages: QueryStages;
  readonly signal: AbortSignal;
}

/** Tells what a run would do where, without one. Refuses a text with an error. */
export async function outlineQuery(request: CheckRequest, { queries, ...outlining }: Outlining): Promise<void> {
  const found = await queries.validate({ ...request, isRun: true });
  await rejectInvalid(outlineStages(found, outlining), request.text, request.caller.locale);
}

/** Lookups that were removed since the check are looked up anew. */
async function outlineStages(
  { checker, checked: first }: CheckedText,
  { engine, stages, signal }: Omit<Outlining, 'queries'>,
): Promise<void> {
  for (let checked = first; ; ) {
    const { plan, phase, references, zone, next } = checked;
    using held = await checker.holdLookups(references.ofPhase(phase));
    if (held.isWhole) {
      stages.attachPlan(checked);
      await engine.outline({
        plan,
        next,
        signal,
        recorder: stages,
        tables: checker.specs(references.tables),
        awaited: references.awaitedOnly,
        facts: checker.facts(zone),
        lookups: checker.lookupsFor(references, held),
      });
      return;
    }
    checker.forgetLookups();
    checked = await checker.check();
  }
}
