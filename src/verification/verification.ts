// Holds a log store against the node alone: generated pipelines over samples of its records, run with the share of the servers and
// without it, for as long as is wanted. Nothing is written there.

import { ApiError } from '#contract/errors.ts';
import { type Dice, pick } from '#kernel/dice.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { Exhausted, TimeExceeded } from '#logs/log-store.ts';
import type { Runs } from '#logs/runs/statements/runs.ts';
import type { StatementLimits } from '#logs/stores/clickhouse/reads/shard-statements.ts';
import { NoAnswer, StatementFailed } from '#logs/stores/clickhouse/server/failures.ts';
import type { Shards } from '#logs/stores/clickhouse/storage/shards.ts';
import { taggedJson } from '#query/rows/tagged-json.ts';
import type { NamedTable } from './named-tables.ts';
import { drawPipeline } from './pipeline-grammar.ts';
import { areSameRows } from './same-rows.ts';
import { Sample } from './sample.ts';
import { type Answer, SampleQueries, type Told } from './sample-queries.ts';
import { type SampledTable, sampledTable } from './sampled-table.ts';

/** Of a sample, before another is taken. */
const PIPELINES_PER_SAMPLE = 60;

/** Disagreements and unanswered pipelines that are reported in full, rows of an answer, and characters of each. */
const MAX_REPORTED = 20;
const MAX_ROWS = 50;
const MAX_CHARACTERS = 2000;

/** Before tables that have become empty are looked at again. */
const PAUSE = Temporal.Duration.from({ seconds: 1 });

/** Errors of servers: a setting, a grant or the account is refused. */
const DENIALS = [164, 497, 516];

/** Some whose distance from UTC is no whole hour or changes in a year. */
const ZONES = ['UTC', 'Asia/Seoul', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'];

/** What one side answers: rows as JSON, the first of them, or the text of its error. */
export type ShownAnswer = { readonly count: number; readonly rows: readonly string[] } | { readonly error: string };

export interface Disagreement {
  readonly query: string;
  readonly zone: string;
  readonly node: ShownAnswer;
  readonly clickhouse: ShownAnswer;
  /** As they were sent, with names of parameters. */
  readonly statements: readonly string[];
  /** Of each table, the records that both sides have read. */
  readonly samples: readonly { readonly table: string; readonly where: string; readonly params: unknown }[];
}

export interface Findings {
  pipelines: number;
  /** Rows of answers that were held against each other. */
  rows: number;
  /** Records of all samples. */
  records: number;
  samples: number;
  /** Samples that had changed meanwhile and were taken anew. */
  changedSamples: number;
  /** Pipelines of which ClickHouse left out rows (level 1), and of which it did whole stages (level 2). */
  filtered: number;
  condensed: number;
  /** Pipelines that both sides refuse with one error: their limits of columns, for instance, hold everywhere. */
  refused: number;
  /** Pipelines that a limit of memory or time has ended, and the first of them. */
  unanswered: number;
  readonly reportedUnanswered: UnansweredPipeline[];
  disagreements: number;
  readonly reported: Disagreement[];
}

/** A pipeline of which nothing can be said: the limit that has ended it on the node, or else on the servers. */
export interface UnansweredPipeline {
  readonly query: string;
  readonly zone: string;
  readonly side: 'node' | 'clickhouse';
  readonly reason: string;
}

export interface VerificationDeps {
  readonly runs: Runs;
  readonly shards: Shards;
  readonly limits: StatementLimits;
  /** As they are now: a running service adds columns and widens their types. */
  tables(): Promise<readonly NamedTable[]>;
  /** For the records of samples. */
  readonly folder: string;
  readonly dice: Dice;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called behind every pipeline. */
  progress(findings: Findings): void;
}

export class Verification {
  readonly findings: Findings = {
    pipelines: 0,
    rows: 0,
    records: 0,
    samples: 0,
    changedSamples: 0,
    filtered: 0,
    condensed: 0,
    refused: 0,
    unanswered: 0,
    disagreements: 0,
    reportedUnanswered: [],
    reported: [],
  };
  readonly #deps: VerificationDeps;

  constructor(deps: VerificationDeps) {
    this.#deps = deps;
  }

  /** All tables in turn, until a pipeline was tried and the time is over; false where none of them has a record. */
  async run(length: Temporal.Duration): Promise<boolean> {
    const { clock, signal } = this.#deps;
    const end = clock.now().add(length);
    const isTried = () => this.findings.pipelines + this.findings.unanswered > 0;
    const isOver = () => isTried() && Temporal.Instant.compare(clock.now(), end) >= 0;
    for (let round = 0, empty = 0; !isOver(); round += 1) {
      const tables = await this.#deps.tables();
      const isTaken = tables.length > 0 && (await this.#overSample(round % tables.length, tables, isOver));
      empty = isTaken ? 0 : empty + 1;
      if (empty <= tables.length) continue;
      if (this.findings.samples === 0 || tables.length === 0) return isTried();
      await clock.sleep(PAUSE, signal);
    }
    return true;
  }

  /** False where the table has no record. */
  async #overSample(index: number, tables: readonly NamedTable[], isOver: () => boolean): Promise<boolean> {
    const { dice, clock } = this.#deps;
    await using samples = new Samples();
    const table = tables[index];
    for (const one of new Set([table ?? pick(dice, tables), pick(dice, tables)])) {
      const sample = await Sample.take(one, dice, this.#deps);
      if (sample) samples.add(sample);
      else if (one === table) return false;
    }
    const queries = new SampleQueries({
      ...this.#deps,
      samples: samples.byName,
      now: clock.now(),
      zone: pick(dice, ZONES),
    });
    const sampled: SampledTable[] = [];
    for (const [name, { known }] of samples.byName) {
      const { rows } = await queries.onNode(`table order=asc ${name}`);
      this.findings.records += rows.length;
      sampled.push(sampledTable(known, rows));
    }
    this.findings.samples += samples.byName.size;
    for (let count = 0; count < PIPELINES_PER_SAMPLE; count += 1) {
      const isUnchanged = await this.#compare(drawPipeline(dice, sampled, queries.zone), queries, samples);
      this.#deps.progress(this.findings);
      if (!isUnchanged || isOver()) break;
    }
    return true;
  }

  /** False where the samples have changed. */
  async #compare(query: string, queries: SampleQueries, samples: Samples): Promise<boolean> {
    const node = await this.#outcome(() => queries.onNode(query));
    const clickhouse = await this.#outcome(() => queries.withServers(query));
    const { zone } = queries;
    if ('limit' in node) return this.#leaveOut({ query, zone, side: 'node', reason: node.limit });
    if ('limit' in clickhouse) return this.#leaveOut({ query, zone, side: 'clickhouse', reason: clickhouse.limit });
    const isSame = areAlike(node, clickhouse);
    if (!isSame && !(await samples.areUnchanged())) {
      this.findings.changedSamples += 1;
      return false;
    }
    this.#count(node, clickhouse);
    if (isSame) return true;
    this.findings.disagreements += 1;
    if (this.findings.reported.length < MAX_REPORTED) {
      const shown = { node: shownAnswer(node), clickhouse: shownAnswer(clickhouse) };
      const { statements } = 'error' in clickhouse ? { statements: [] } : clickhouse;
      this.findings.reported.push({ query, zone, ...shown, statements, samples: samples.shown });
    }
    return true;
  }

  #leaveOut(pipeline: UnansweredPipeline): true {
    this.findings.unanswered += 1;
    const { reportedUnanswered } = this.findings;
    if (reportedUnanswered.length < MAX_REPORTED) reportedUnanswered.push(pipeline);
    return true;
  }

  #count(node: Outcome<Answer>, clickhouse: Outcome<Answer & Told>): void {
    this.findings.pipelines += 1;
    if ('rows' in node) this.findings.rows += node.rows.length;
    if ('error' in clickhouse) {
      if ('error' in node) this.findings.refused += 1;
      return;
    }
    if (clickhouse.shares.has('filter')) this.findings.filtered += 1;
    if (clickhouse.shares.has('stages')) this.findings.condensed += 1;
  }

  /** A server that does not answer ends the whole: nothing can be said of it. */
  async #outcome<T>(run: () => Promise<T>): Promise<Outcome<T> | { readonly limit: string }> {
    const { signal } = this.#deps;
    try {
      return await run();
    } catch (error) {
      signal.throwIfAborted();
      const cause = error instanceof ApiError ? error.cause : error;
      if (cause instanceof NoAnswer || (cause instanceof StatementFailed && DENIALS.includes(cause.code))) throw error;
      const isLimit = error instanceof Exhausted || error instanceof TimeExceeded || error instanceof ApiError;
      if (isLimit) return { limit: error.message };
      return { error: error instanceof Error ? error.message : String(error) };
    }
  }
}

type Outcome<T> = T | { readonly error: string };

function areAlike(one: Outcome<Answer>, other: Outcome<Answer>): boolean {
  if ('error' in one || 'error' in other) return 'error' in one && 'error' in other && one.error === other.error;
  return areSameRows(one.rows, other.rows, one.isOrdered) && `${one.columns}` === `${other.columns}`;
}

function shownAnswer(answer: Outcome<Answer>): ShownAnswer {
  if ('error' in answer) return { error: answer.error.slice(0, MAX_CHARACTERS) };
  const rows = answer.rows.slice(0, MAX_ROWS).map((row) => taggedJson(new Map(row)).slice(0, MAX_CHARACTERS));
  return { count: answer.rows.length, rows };
}

/** Those of one round. */
class Samples implements AsyncDisposable {
  readonly byName = new Map<string, Sample>();

  add(sample: Sample): void {
    this.byName.set(sample.table.spec.name, sample);
  }

  get shown(): Disagreement['samples'] {
    return [...this.byName].map(([table, { where }]) => ({ table, where: where.text, params: where.params }));
  }

  /** Also not where one of their tables is gone. */
  async areUnchanged(): Promise<boolean> {
    for (const sample of this.byName.values()) if (!(await sample.isUnchanged())) return false;
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const sample of this.byName.values()) await sample[Symbol.asyncDispose]();
  }
}
