// Judges logs that are kept together. Few records fit any rule: most are done with when the index has looked at them. What a
// rule may take for a record is bounded, and between two rules others get their turn, so that no log holds anybody up.

import type { RecordRun } from '#engines/engine.ts';
import type { Destination, Examination, Finding, IdOf, Log } from '#ingest/intake.ts';
import { turn } from '#kernel/turns.ts';
import type { MapValue } from '#query/model/values.ts';
import { StepsExceeded } from '#query/values/failures.ts';
import type { StepMeter } from '#query/values/steps.ts';
import type { ActiveRules } from './active-rules.ts';
import { evaluateStages, type StreamRule } from './compiled-rule.ts';
import { incomingRecord, type LogBatch, logBatchOf } from './incoming-record.ts';
import type { RuleIndex } from './schema-rules.ts';
import { reportExceeded, reportJudged, type StepFailureDeps } from './step-failures.ts';
import { StreamFindings, type StreamFindingsDeps } from './stream-findings.ts';

/** After so long others get their turn. */
const YIELD_AFTER_MS = 4;
/** The time is looked at after so much work: a record, 1,024 characters of one, or 256 steps. */
const WORK_PER_TIME_CHECK = 16;
/** Of a record, characters or bytes: to read a longer one takes a turn, and what it may fit is looked for in pieces. */
const LONG_RECORD_BYTES = 64 * 1024;
/** Who has done next to nothing in a turn may read a long one. */
const MAX_IDLE_MS = 1;

export interface LogExaminationDeps extends StreamFindingsDeps, StepFailureDeps {
  /** The rules in force. */
  activeRules(): Promise<ActiveRules | undefined>;
  /** Told of what nobody foresaw. */
  onDefect(rule: StreamRule, error: unknown): void;
}

/** A record and the rules that may fit it. */
interface RecordEvaluation {
  readonly record: MapValue;
  /** Of the log. */
  readonly time: number;
  /** Its place among those that were added with it. */
  readonly place: number;
  rules: readonly StreamRule[];
  /** As long as they are still being looked for. */
  finding: Iterator<undefined, readonly StreamRule[]> | undefined;
  /** The rule that is next. */
  next: number;
  /** Steps that the record has taken. */
  spent: number;
}

/** How far some logs are judged. */
interface BatchProgress {
  readonly list: LogBatch;
  at: number;
  /** Where its rules are not through yet. */
  judging: RecordEvaluation | undefined;
}

/** Logs that a rule has not judged, and the last of them. */
interface Unjudged {
  readonly logs: number;
  readonly isByOthers: boolean;
  readonly id: number | undefined;
  /** As long as it has no number. */
  readonly place?: number;
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

  async add(logs: readonly Log[] | RecordRun): Promise<void> {
    const list = logBatchOf(logs);
    const { schemaCode } = this.#destination;
    const schemas = [...list.schemas, ...(schemaCode === null ? [] : [schemaCode])];
    const progress: BatchProgress = { list, at: 0, judging: undefined };
    while (progress.at < list.count) {
      // What was changed during a turn holds for what comes after it.
      const live = await this.#activeRulesFor(schemas);
      if (!live) break;
      this.#judgeSome(live, progress);
      if (progress.at < list.count) await turn();
    }
  }

  /** Once: where rules change all the time, logs do not wait until they stop doing so. */
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
    return this.#unjudged.values().some(({ place }) => place !== undefined);
  }

  number(idOf: IdOf): void {
    for (const [rule, { place, ...others }] of this.#unjudged) {
      if (place !== undefined) this.#unjudged.set(rule, { ...others, id: idOf(place) });
    }
  }

  kept(): void {
    const table = this.#destination.table.name;
    for (const [rule, unjudged] of this.#unjudged) reportExceeded(rule, { table, ...unjudged }, this.#deps);
    this.#unjudged.clear();
  }

  /** Goes as far as a turn allows. */
  #judgeSome(live: ActiveRules, progress: BatchProgress): void {
    const { list } = progress;
    const { schemaCode, origin } = this.#destination;
    const ofTable = live.indexFor(schemaCode, origin);
    const begun = performance.now();
    let work = 0;
    for (; progress.at < list.count; progress.at += 1) {
      const schema = list.schema(progress.at);
      const index = schema === undefined ? ofTable : live.indexFor(schema, origin);
      work += 1;
      if (index && !progress.judging) {
        if (list.lengthOf(progress.at) > LONG_RECORD_BYTES && performance.now() - begun > MAX_IDLE_MS) return;
        progress.judging = this.#startRecord(index, live.steps, list, progress.at);
        work += list.lengthOf(progress.at) >> 10;
      }
      const { judging } = progress;
      while (judging && (judging.finding || judging.next < judging.rules.length)) {
        // Before the rule: to read a long record is work, too.
        if (work >= WORK_PER_TIME_CHECK && performance.now() - begun > YIELD_AFTER_MS) return;
        if (work >= WORK_PER_TIME_CHECK) work = 0;
        work += judging.finding
          ? continueFinding(judging, judging.finding, live.steps)
          : this.#judge(judging, live.steps);
      }
      progress.judging = undefined;
      if (work < WORK_PER_TIME_CHECK) continue;
      work = 0;
      if (performance.now() - begun <= YIELD_AFTER_MS) continue;
      progress.at += 1;
      return;
    }
  }

  #startRecord(index: RuleIndex, steps: StepMeter, list: LogBatch, at: number): RecordEvaluation | undefined {
    const time = list.time(at);
    const record = incomingRecord(list.text(at), time, this.#destination.table.name);
    if (list.lengthOf(at) > LONG_RECORD_BYTES)
      return { record, time, place: at, rules: [], finding: index.findYielding(record), next: 0, spent: 0 };
    steps.beginRecord();
    const rules = index.candidates(record);
    if (rules.length === 0) return undefined;
    return { record, time, place: at, rules, finding: undefined, next: 0, spent: steps.spent };
  }

  /** By the next rule; gives the work that it was. Others may have used the meter since the rule before. */
  #judge(judging: RecordEvaluation, steps: StepMeter): number {
    const rule = judging.rules[judging.next];
    const before = judging.spent;
    judging.next += 1;
    steps.beginRecord(before);
    if (rule && steps.isRecordSpent) this.#skip(rule, judging.place, true);
    else if (rule) this.#judgeBy(rule, judging);
    judging.spent = steps.spent;
    return 1 + ((judging.spent - before) >> 8);
  }

  /** A defect in one rule hinders neither others nor the log. */
  #judgeBy(rule: StreamRule, { record, time, place }: RecordEvaluation): void {
    try {
      const row = evaluateStages(rule, record);
      if (row) this.#findings.add(rule, row, time);
      reportJudged(rule, this.#deps);
    } catch (error) {
      if (error instanceof StepsExceeded) this.#skip(rule, place, false);
      else this.#deps.onDefect(rule, error);
    }
  }

  #skip(rule: StreamRule, place: number, isByOthers: boolean): void {
    const { logs } = this.#unjudged.get(rule) ?? { logs: 0 };
    this.#unjudged.set(rule, { logs: logs + 1, place, id: undefined, isByOthers });
  }
}

/** Looks for the rules of a long record; gives the work that it was. Others may have used the meter since. */
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
