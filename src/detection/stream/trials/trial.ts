// Trial of rules on records that are not stored: which rules match, and which condition stopped the others. Nothing is raised.
// Runs in a thread (trial-worker.ts) that receives a task in several messages and caches compiled rules.

import type { Fields } from '#detection/events/matches.ts';
import type { Condition } from '#detection/rules/condition-templates.ts';
import type { BrokenRule } from '#detection/stream/active-rules.ts';
import type { Stages } from '#detection/stream/compiled-rule.ts';
import { type GroupEntry, LiveGroup } from '#detection/stream/groups/live-group.ts';
import { incomingRecord } from '#detection/stream/incoming-record.ts';
import { markOf } from '#detection/stream/rule-rows.ts';
import { type StreamContext, stagesOf, streamRuleOf } from '#detection/stream/stream-rule.ts';
import { recordOf } from '#ingest/decode/record.ts';
import { runToEnd } from '#kernel/sliced-work.ts';
import { shownConstants } from '#queries/runs/constants.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { MapValue } from '#query/model/values.ts';
import { StepsExceeded } from '#query/values/failures.ts';
import { StepMeter } from '#query/values/steps.ts';
import type { RuleRow } from '#store/schema/rule-schema.ts';

/** The rule of a trial; null for a draft. */
interface RuleName {
  readonly guid: string | null;
  readonly name: string | null;
}

interface TrialRule extends RuleName {
  readonly stages: Stages;
}

/** A rule that is not stored yet. */
export interface Draft {
  readonly conditions: readonly Condition[];
  /** The address groups in the conditions. */
  readonly groups: readonly string[];
  readonly user: string;
}

/** The task of a trial, beside rules, groups and records. */
export interface TrialTask {
  readonly zone: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly ruleSteps: number;
  readonly lineBytes: number;
  /** Versions of the rules to try. */
  readonly rules: readonly string[];
  readonly draft: Omit<Draft, 'groups'> | undefined;
  /** Whether the result contains misses and rules that cannot be compiled. */
  readonly explainsMisses: boolean;
}

/** Messages to the thread: rules that it lacks, then groups, lines and the task. */
export type TrialInput =
  | { readonly rows: readonly RuleRow[] }
  | { readonly group: string; readonly entries: readonly GroupEntry[] }
  /** Records as JSON. */
  | { readonly lines: readonly string[] }
  | { readonly task: TrialTask };

export type TrialAnswer =
  /** Results of some records, as JSON. */
  { readonly results: readonly string[] } | { readonly broken: readonly BrokenRule[] };

/** Maximum characters of one message. */
const ANSWER_CHARACTERS = 256 * 1024;

export class Trial {
  /** Rows until the first trial, compiled rules afterwards. */
  readonly #rules = new Map<string, RuleRow | TrialRule>();
  #groups = new Map<string, LiveGroup>();
  #lines: string[] = [];
  #now = 0;
  /** Context of compilation, from the first task: it is the same for all tasks of a process. */
  #context: (StreamContext & { readonly steps: StepMeter }) | undefined;

  /** Only the task yields answers. */
  *take(piece: TrialInput): Generator<TrialAnswer> {
    if ('rows' in piece) for (const row of piece.rows) this.#rules.set(markOf(row), row);
    else if ('group' in piece) this.#addEntries(piece.group, piece.entries);
    else if ('lines' in piece) this.#lines.push(...piece.lines);
    else {
      yield* this.#run(piece.task);
      this.#lines = [];
      this.#groups = new Map();
    }
  }

  #addEntries(guid: string, entries: readonly GroupEntry[]): void {
    const known = this.#groups.get(guid);
    if (known) known.add(entries);
    else this.#groups.set(guid, new LiveGroup(entries, () => this.#now));
  }

  *#run(task: TrialTask): Generator<TrialAnswer> {
    this.#now = task.now;
    this.#context ??= {
      zone: task.zone,
      groups: () => this.#groups,
      now: () => Temporal.Instant.fromEpochMilliseconds(this.#now),
      steps: new StepMeter(task.ruleSteps),
    };
    const { tried, broken } = this.#compileRules(task, this.#context);
    const judging = { ...this.#context, ...task, at: task.now };
    let results: string[] = [];
    let characters = 0;
    for (const line of this.#lines) {
      const result = JSON.stringify(resultOf(line, tried, judging));
      results.push(result);
      characters += result.length;
      if (characters < ANSWER_CHARACTERS) continue;
      yield { results };
      [results, characters] = [[], 0];
    }
    yield { results };
    yield { broken: task.explainsMisses ? broken : [] };
  }

  #compileRules(
    { rules, draft }: TrialTask,
    context: StreamContext,
  ): { readonly tried: TrialRule[]; readonly broken: BrokenRule[] } {
    const tried: TrialRule[] = [];
    const broken: BrokenRule[] = [];
    for (const mark of rules) {
      const known = this.#rules.get(mark);
      const rule = known && 'snapshot' in known ? compile(known, context) : known;
      if (!rule) throw new Error(`the rule ${mark} was not told of`);
      if ('stages' in rule) {
        tried.push(rule);
        this.#rules.set(mark, rule);
      } else broken.push(rule);
    }
    if (draft)
      tried.push({ guid: null, name: null, stages: runToEnd(stagesOf(draft.conditions, draft.user, context)) });
    return { tried, broken };
  }
}

interface TrialContext extends Pick<TrialTask, 'zone' | 'lineBytes' | 'explainsMisses'> {
  /** Arrival time of the records, in epoch milliseconds. */
  readonly at: number;
  readonly steps: StepMeter;
}

function resultOf(line: string, tried: readonly TrialRule[], judging: TrialContext): object {
  const log = Buffer.byteLength(line) > judging.lineBytes ? 'line-too-long' : recordOf(line, judging);
  if (typeof log === 'string') return { reason: log, matches: [], misses: [] };
  const outcome = outcomeOf(incomingRecord(log.text, log.time, null), tried, judging);
  return judging.explainsMisses ? outcome : { ...outcome, misses: [] };
}

function compile(row: RuleRow, context: StreamContext): TrialRule | BrokenRule {
  const { guid, name } = row;
  try {
    return { guid, name, stages: runToEnd(streamRuleOf(row, context)) };
  } catch (failure) {
    if (!(failure instanceof QueryError)) throw failure;
    return { guid, name, reason: `${failure.code} ${failure.message}` };
  }
}

interface Match extends RuleName {
  /** The row that the event would show. */
  readonly fields: Fields;
}

/** The condition that rejected a record. */
interface Miss extends RuleName {
  readonly ordinal: number;
  /** Normalized. */
  readonly condition: string;
  /** Whether the condition is inverted. */
  readonly invert: boolean;
  /** The fields that it read. */
  readonly fields: Fields;
}

/** The outcome of one record; a rule beyond its step limit is neither a match nor a miss. */
function outcomeOf(record: MapValue, rules: readonly TrialRule[], judging: TrialContext) {
  const matches: Match[] = [];
  const misses: Miss[] = [];
  let reason: 'too-long' | null = null;
  judging.steps.beginRecord();
  for (const { guid, name, stages } of rules) {
    const end = evaluateRule(stages, record, judging);
    if (!end) reason = 'too-long';
    else if ('condition' in end) misses.push({ guid, name, ...end });
    else matches.push({ guid, name, ...end });
  }
  return { reason, matches, misses };
}

/** Evaluates the conditions in order; undefined beyond the step limit. */
function evaluateRule(
  { stages }: Stages,
  record: MapValue,
  { zone, steps }: TrialContext,
): Omit<Match, keyof RuleName> | Omit<Miss, keyof RuleName> | undefined {
  if (steps.isRecordSpent) return undefined;
  steps.beginRule();
  let row = record;
  try {
    for (const { ordinal, text, isNegated, reads, judge } of stages) {
      const next = judge(row);
      if (!next) {
        const read = new Map(reads.map((name) => [name, row.get(name) ?? null]));
        return { ordinal, condition: text, invert: isNegated, fields: shown(read, zone) };
      }
      row = next;
    }
    return { fields: shown(row, zone) };
  } catch (failure) {
    if (failure instanceof StepsExceeded) return undefined;
    throw failure;
  }
}

/** Shown constants are JSON. */
const shown = (fields: MapValue, zone: string): Fields => shownConstants(fields, zone) as Fields;
