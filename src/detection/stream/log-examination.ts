// Judges logs that are kept together. Few records fit any rule: most are done with when the index has looked at them.

import type { RecordRun } from '#engines/engine.ts';
import type { Destination, Examination, Finding, Log } from '#ingest/intake.ts';
import { turn } from '#kernel/turns.ts';
import type { MapValue } from '#query/values.ts';
import { arrivedRecord, type LogList, logList } from './arrived-record.ts';
import type { LiveSet } from './live-set.ts';
import type { RuleIndex } from './partitions.ts';
import { judged, type StreamRule } from './stages.ts';
import { type FindingParts, StreamFindings } from './stream-findings.ts';

/** After so long others get their turn; the time is looked at after so many records. */
const TURN_MS = 4;
const RECORDS_PER_LOOK = 16;

export interface ExaminationParts extends FindingParts {
  /** The rules in force. */
  live(): Promise<LiveSet | undefined>;
  /** Told of what nobody foresaw. */
  faulty(rule: StreamRule, error: unknown): void;
}

export class LogExamination implements Examination {
  readonly #destination: Destination;
  readonly #parts: ExaminationParts;
  readonly #findings: StreamFindings;

  constructor(destination: Destination, parts: ExaminationParts) {
    this.#destination = destination;
    this.#parts = parts;
    this.#findings = new StreamFindings(parts, destination.table.id);
  }

  async add(logs: readonly Log[] | RecordRun): Promise<void> {
    const list = logList(logs);
    const { schemaCode } = this.#destination;
    const schemas = [...list.schemas, ...(schemaCode === null ? [] : [schemaCode])];
    let at = 0;
    while (at < list.count) {
      if (at > 0) await turn();
      // What was changed during a turn holds for what comes after it.
      const live = await this.#liveFor(schemas);
      if (!live) return;
      at = this.#judgeSome(live, list, at);
    }
  }

  /** Once: where rules change all the time, logs do not wait until they stop doing so. */
  async #liveFor(schemas: readonly string[]): Promise<LiveSet | undefined> {
    const { origin } = this.#destination;
    const live = await this.#parts.live();
    if (!live || live.isReady(schemas, origin)) return live;
    await live.prepare(schemas, origin);
    return await this.#parts.live();
  }

  finding(): Finding | undefined {
    return this.#findings.isEmpty ? undefined : this.#findings;
  }

  /** Goes as far as a turn allows; gives how far that was. */
  #judgeSome(live: LiveSet, list: LogList, from: number): number {
    const { schemaCode, origin, table } = this.#destination;
    const ofTable = live.indexFor(schemaCode, origin);
    const begun = performance.now();
    for (let at = from; at < list.count; at += 1) {
      const schema = list.schema(at);
      const index = schema === undefined ? ofTable : live.indexFor(schema, origin);
      const time = list.time(at);
      if (index) this.#judge(index, arrivedRecord(list.text(at), time, table.name), time);
      if (at % RECORDS_PER_LOOK === 0 && performance.now() - begun > TURN_MS) return at + 1;
    }
    return list.count;
  }

  #judge(index: RuleIndex, record: MapValue, time: number): void {
    for (const rule of index.candidates(record)) {
      const row = this.#judgedBy(rule, record);
      if (row) this.#findings.add(rule, row, time);
    }
  }

  /** A defect in one rule hinders neither others nor the log. */
  #judgedBy(rule: StreamRule, record: MapValue): MapValue | undefined {
    try {
      return judged(rule, record);
    } catch (error) {
      this.#parts.faulty(rule, error);
      return undefined;
    }
  }
}
