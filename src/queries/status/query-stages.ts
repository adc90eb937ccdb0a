// What a query does where: its stages in the order of work, each with the commands that it works for. Stages that differ in the
// part of the rows alone are one.

import { createHash } from 'node:crypto';
import type { Clock } from '#kernel/time/clock.ts';
import type { StageEngine, StageMeter, StageRecorder, StageStart } from '#logs/stage-recorder.ts';
import type { CommandPositions } from '#query/analysis/command-positions.ts';
import type { CheckedQuery } from '#query/query.ts';

interface QueryStagesDeps {
  readonly clock: Clock;
  /** Whether statements are shown. */
  readonly hasStatements: boolean;
}

export interface QueryStage {
  readonly engine: StageEngine;
  readonly commands: readonly string[];
  readonly statement: string | null;
  readonly rows_read: number | null;
  readonly bytes_read: number | null;
  readonly rows_moved: number | null;
  readonly bytes_moved: number | null;
  /** Milliseconds. */
  readonly elapsed: number | null;
}

/** Characters of all statements together: many commands have many and long ones. */
const MAX_CHARACTERS = 2 ** 20;

/** Steps of reading differ in these. */
const CUTS = /\b(limit|offset) \d+/g;

export class QueryStages implements StageRecorder {
  readonly #deps: QueryStagesDeps;
  #positions: CommandPositions | undefined;
  readonly #stages = new Map<string, Stage>();
  /** Of the phases that have ended. */
  #kept: readonly string[] = [];
  #characters = 0;

  constructor(deps: QueryStagesDeps) {
    this.#deps = deps;
  }

  get all(): readonly QueryStage[] {
    return [...this.#stages.values()].map((stage) => stage.shown);
  }

  /** Commands are found by the nodes of the newest plan. */
  attachPlan({ references }: CheckedQuery): void {
    this.#positions = references.positions;
  }

  begin(start: StageStart): StageMeter {
    return this.#stageOf(start).begin(this.#deps.clock);
  }

  plan(start: StageStart): void {
    this.#stageOf(start);
  }

  /** A retry begins behind what is kept. */
  keep(): void {
    this.#kept = [...this.#stages.keys()];
  }

  reset(): void {
    const kept = new Set(this.#kept);
    for (const key of this.#stages.keys()) if (!kept.has(key)) this.#stages.delete(key);
  }

  #stageOf({ engine, planNodes: nodes, statement: textOf }: StageStart): Stage {
    const commands = this.#positions?.of(nodes) ?? [];
    const text = this.#deps.hasStatements ? textOf?.() : undefined;
    const about = JSON.stringify([engine, commands, text?.replaceAll(CUTS, '$1')]);
    const key = createHash('sha256').update(about).digest('hex');
    const known = this.#stages.get(key);
    if (known) return known;
    this.#characters += text?.length ?? 0;
    const statement = text === undefined || this.#characters > MAX_CHARACTERS ? null : text;
    const stage = new Stage({ engine, commands, statement });
    this.#stages.set(key, stage);
    return stage;
  }
}

/** Null: not known. */
type Count = number | null;

class Stage {
  readonly #what: Pick<QueryStage, 'engine' | 'commands' | 'statement'>;
  #isBegun = false;
  #read: { rows: Count; bytes: Count } | undefined;
  #moved = { rows: 0, bytes: 0 };
  #elapsed = 0;

  constructor(what: Pick<QueryStage, 'engine' | 'commands' | 'statement'>) {
    this.#what = what;
  }

  get shown(): QueryStage {
    const ifBegun = (count: number): Count => (this.#isBegun ? count : null);
    return {
      ...this.#what,
      rows_read: this.#read?.rows ?? null,
      bytes_read: this.#read?.bytes ?? null,
      rows_moved: ifBegun(this.#moved.rows),
      bytes_moved: ifBegun(this.#moved.bytes),
      elapsed: ifBegun(this.#elapsed),
    };
  }

  begin(clock: Clock): StageMeter {
    this.#isBegun = true;
    let last = clock.now();
    const ended = () => {
      const now = clock.now();
      this.#elapsed += Math.max(0, now.epochMilliseconds - last.epochMilliseconds);
      last = now;
    };
    return {
      read: (rows, bytes) => {
        const before = this.#read ?? { rows: 0, bytes: 0 };
        this.#read = { rows: sum(before.rows, rows), bytes: sum(before.bytes, bytes) };
        ended();
      },
      moved: (rows, bytes) => {
        this.#moved = { rows: this.#moved.rows + rows, bytes: this.#moved.bytes + bytes };
        ended();
      },
      ended,
    };
  }
}

const sum = (one: Count, other: Count): Count => (one === null || other === null ? null : one + other);
