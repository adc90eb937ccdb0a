// Evaluates stream rules on a batch of logs. Few records match any rule: the index excludes most. The steps of a rule per record
// are bounded, and the event loop runs between rules, so that no log blocks other requests.

import type { Destination, Examination, Finding, IdOf, Log, LogBatch as LogParts } from '#ingest/intake.ts';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import type { LineBatch } from '#logs/log-store.ts';
import type { MapValue } from '#query/model/values.ts';
import { StepsExceeded } from '#query/values/failures.ts';
import type { StepMeter } from '#query/values/steps.ts';
import { eventLoop, SliceTimer } from '#runtime/event-loop.ts';
import type { ActiveRules } from './active-rules.ts';
import { evaluateStages, type StreamRule } from './compiled-rule.ts';
import { incomingRecord, incomingRecordInSlices, type LogBatch, logBatchOf } from './incoming-record.ts';
import type { RuleIndex } from './schema-rules.ts';
import { reportExceeded, reportJudged, type StepFailureDeps } from './step-failures.ts';
import { StreamFindings, type StreamFindingsDeps } from './stream-findings.ts';

/** Time after which the event loop runs. */
const SLICE_MS = 4;
/** Work units between checks of the time: a record, 1,024 characters of it, or 256 steps. */
const WORK_PER_TIME_CHECK = 16;
/** Characters or bytes: a longer record is parsed, and its candidates are searched, in slices. */
const LONG_RECORD_BYTES = 64 * 1024;

interface LogExaminationDeps extends StreamFindingsDeps, StepFailureDeps {
  /** The enabled rules. */
  activeRules(): Promise<ActiveRules | undefined>;
  /** Called for unexpected errors. */
  onDefect(rule: StreamRule, error: unknown): void;
}

/** A record and its candidate rules. */
interface RecordEvaluation {
  /** Empty while a long one is parsed. */
  record: MapValue;
  /** Time of the log. */
  readonly time: number;
  /** Index in its batch. */
  readonly index: number;
  rules: readonly StreamRule[];
  /** Set while a long record is parsed and candidates are searched. */
  finding: Iterator<undefined, readonly StreamRule[]> | undefined;
  /** Index of the next rule. */
  next: number;
  /** Steps used by the record. */
  spent: number;
}

/** Progress of the evaluation of a batch. */
interface BatchProgress {
  readonly list: LogBatch;
  at: number;
  /** The record in evaluation. */
  judging: RecordEvaluation | undefined;
}

/** Number of logs that a rule has skipped, and the last of them. */
interface Unjudged {
  readonly logs: number;
  readonly isByOthers: boolean;
  readonly id: number | undefined;
  /** Set until the log has an id. */
  readonly index?: number;
}

export class LogExamination implements Examination {
  readonly #destination: Destination;
  readonly #deps: LogExaminationDeps;
  readonly #findings: StreamFindings;
  readonly #unjudged = new Map<StreamRule, Unjudged>();

  constructor(destination: Destination, deps: LogExaminationDeps) {
    this.#destination = destination;
    this.#deps = deps;
    this.#findings = new StreamFindings(deps, destination.table.id);
  }

  async add(logs: readonly Log[] | LineBatch | LogParts): Promise<void> {
    const list = logBatchOf(logs);
    const { schemaCode, origin } = this.#destination;
    const schemas = [...list.schemas, ...(schemaCode === null ? [] : [schemaCode])];
    const progress: BatchProgress = { list, at: 0, judging: undefined };
    while (progress.at < list.count) {
      // Changes during a yield apply to the following logs.
      const live = await this.#activeRulesFor(schemas);
      if (!live) break;
      // If no rule looks at logs of the table, the offsets of a run stay unknown: they are rarely used elsewhere.
      if (live.indexFor(schemaCode, origin)) await list.locate();
      this.#judgeSome(live, progress);
      if (progress.at < list.count) await eventLoop.nextSlot();
    }
  }

  /** Prepares indexes once: logs do not wait while rules keep changing. */
  async #activeRulesFor(schemas: readonly string[]): Promise<ActiveRules | undefined> {
    const { origin } = this.#destination;
    const live = await this.#deps.activeRules();
    if (!live || live.isReady(schemas, origin)) return live;
    await live.prepare(schemas, origin);
    return await this.#deps.activeRules();
  }

  finding(): Finding | undefined {
    return this.#findings.isEmpty ? undefined : this.#findings;
  }

  get isUnjudged(): boolean {
    return this.#unjudged.values().some(({ index }) => index !== undefined);
  }

  number(idOf: IdOf): void {
    for (const [rule, { index, ...others }] of this.#unjudged) {
      if (index !== undefined) this.#unjudged.set(rule, { ...others, id: idOf(index) });
    }
  }

  kept(): void {
    const table = this.#destination.table.name;
    for (const [rule, unjudged] of this.#unjudged) reportExceeded(rule, { table, ...unjudged }, this.#deps);
    this.#unjudged.clear();
  }

  /** Evaluates logs until the slice is over. */
  #judgeSome(live: ActiveRules, progress: BatchProgress): void {
    const { list } = progress;
    const { schemaCode, origin } = this.#destination;
    const ofTable = live.indexFor(schemaCode, origin);
    const timer = new SliceTimer(SLICE_MS);
    let work = 0;
    for (; progress.at < list.count; progress.at += 1) {
      const schema = list.schema(progress.at);
      const index = schema === undefined ? ofTable : live.indexFor(schema, origin);
      work += 1;
      if (index && !progress.judging) {
        progress.judging = this.#startRecord(index, live.steps, list, progress.at);
        work += list.lengthOf(progress.at) >> 10;
      }
      const { judging } = progress;
      while (judging && (judging.finding || judging.next < judging.rules.length)) {
        // Checked before the rule, because parsing a long record is work, too.
        if (work >= WORK_PER_TIME_CHECK && timer.isDue) return;
        if (work >= WORK_PER_TIME_CHECK) work = 0;
        work += judging.finding
          ? continueFinding(judging, judging.finding, live.steps)
          : this.#judge(judging, live.steps);
      }
      progress.judging = undefined;
      if (work < WORK_PER_TIME_CHECK) continue;
      work = 0;
      if (!timer.isDue) continue;
      progress.at += 1;
      return;
    }
  }

  #startRecord(ruleIndex: RuleIndex, steps: StepMeter, list: LogBatch, at: number): RecordEvaluation | undefined {
    const time = list.time(at);
    const table = this.#destination.table.name;
    if (list.lengthOf(at) > LONG_RECORD_BYTES) {
      const parsing = incomingRecordInSlices(list.text(at), time, table);
      return longEvaluation({ time, index: at }, parsing, ruleIndex);
    }
    const record = incomingRecord(list.text(at), time, table);
    steps.beginRecord();
    const rules = ruleIndex.candidates(record);
    if (rules.length === 0) return undefined;
    return { record, time, index: at, rules, finding: undefined, next: 0, spent: steps.spent };
  }

  /** Evaluates the next rule and returns its work. Other records may have used the meter since the previous rule. */
  #judge(judging: RecordEvaluation, steps: StepMeter): number {
    const rule = judging.rules[judging.next];
    const before = judging.spent;
    judging.next += 1;
    steps.beginRecord(before);
    if (rule && steps.isRecordSpent) this.#skip(rule, judging.index, true);
    else if (rule) this.#judgeBy(rule, judging);
    judging.spent = steps.spent;
    return 1 + ((judging.spent - before) >> 8);
  }

  /** An unexpected error in one rule affects neither other rules nor the log. */
  #judgeBy(rule: StreamRule, { record, time, index }: RecordEvaluation): void {
    try {
      const row = evaluateStages(rule, record);
      if (row) this.#findings.add(rule, row, time);
      reportJudged(rule, this.#deps);
    } catch (error) {
      if (error instanceof StepsExceeded) this.#skip(rule, index, false);
      else this.#deps.onDefect(rule, error);
    }
  }

  #skip(rule: StreamRule, index: number, isByOthers: boolean): void {
    const { logs } = this.#unjudged.get(rule) ?? { logs: 0 };
    this.#unjudged.set(rule, { logs: logs + 1, index, id: undefined, isByOthers });
  }
}

/** A long record: its first slices parse it, the others search its candidates. */
function longEvaluation(
  { time, index }: Pick<RecordEvaluation, 'time' | 'index'>,
  parsing: SlicedWork<MapValue>,
  ruleIndex: RuleIndex,
): RecordEvaluation {
  const judging: RecordEvaluation = {
    record: new Map(),
    time,
    index,
    rules: [],
    finding: undefined,
    next: 0,
    spent: 0,
  };
  function* find(): SlicedWork<readonly StreamRule[]> {
    judging.record = yield* parsing;
    return yield* ruleIndex.findYielding(judging.record);
  }
  judging.finding = find();
  return judging;
}

/** Searches candidates of a long record and returns the work. Other records may have used the meter since. */
function continueFinding(
  judging: RecordEvaluation,
  finding: NonNullable<RecordEvaluation['finding']>,
  steps: StepMeter,
): number {
  steps.resumeRecord(judging.spent);
  const step = finding.next();
  judging.spent = steps.spent;
  if (step.done) {
    judging.rules = step.value;
    judging.finding = undefined;
  }
  return WORK_PER_TIME_CHECK;
}
