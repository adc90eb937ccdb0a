// What a parser makes of some lines, as they would be kept. Runs in a thread (preview-worker.ts).

import { toStamp } from '#contract/times.ts';
import type { Reason } from '#ingest/decode/record.ts';
import { fixedClock } from '#ingest/reading/fixed-clock.ts';
import { compiledModel } from '#ingest/reading/model.ts';
import { type ModelReader, readerOf } from '#ingest/reading/reader.ts';
import { threadLimit } from '#ingest/reading/work-limit.ts';
import { shownConstants } from '#queries/runs/constants.ts';
import { AddressGroup } from '#query/values/addresses/address-group.ts';
import { recordIn } from '#query/values/formats/strict-json.ts';
import type { ParserRow } from '#store/schema/schema.ts';

export interface PreviewTask {
  readonly parserCode: string;
  /** Of a built-in parser. */
  readonly configs: ParserConfigs;
  readonly lines: readonly string[];
  readonly zone: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly ruleSteps: number;
  readonly lineBytes: number;
}

type ParserConfigs = Parameters<typeof compiledModel>[0]['configs'];

/** Messages to the thread: stored parsers and address groups first, the task last. */
export type PreviewInput =
  | { readonly parsers: readonly ParserRow[] }
  | { readonly group: string; readonly entries: readonly string[] }
  | { readonly task: PreviewTask };

/** Previewed lines belong to no table. */
const NO_TABLE = '';

/** The result of each line, as JSON; nothing before the task has arrived. */
export type PreviewAnswer = readonly string[];

export class Preview {
  #parsers = new Map<string, ParserRow>();
  #entries = new Map<string, string[]>();

  /** Results as JSON, one for each line; undefined until the task has come. */
  async take(piece: PreviewInput): Promise<PreviewAnswer> {
    if ('parsers' in piece) for (const row of piece.parsers) this.#parsers.set(row.code, row);
    else if ('group' in piece) this.#entriesOf(piece.group).push(...piece.entries);
    else {
      const parsers = this.#parsers;
      const entries = this.#entries;
      [this.#parsers, this.#entries] = [new Map(), new Map()];
      const groups = new Map([...entries].map(([guid, some]) => [guid, new AddressGroup(some)]));
      return await resultsOf(piece.task, parsers, groups);
    }
    return [];
  }

  #entriesOf(guid: string): string[] {
    const entries = this.#entries.get(guid) ?? [];
    this.#entries.set(guid, entries);
    return entries;
  }
}

async function resultsOf(
  { parserCode, configs, lines, zone, now, ruleSteps, lineBytes }: PreviewTask,
  parsers: ReadonlyMap<string, ParserRow>,
  groups: ReadonlyMap<string, AddressGroup>,
): Promise<readonly string[]> {
  const clock = fixedClock(() => now);
  const model = { parserCode, configs, rules: [] };
  const context = { zone, clock, limit: threadLimit(ruleSteps), parsers, groups: () => groups };
  const compiled = await compiledModel(model, new Map(), context);
  const reader = readerOf(compiled, zone, NO_TABLE);
  return lines.map((line) => JSON.stringify({ line, ...resultOf(line, reader, { zone, now, lineBytes }) }));
}

/** A blank line is no log: it has neither a record nor a reason. */
function resultOf(line: string, reader: ModelReader, { zone, now, lineBytes }: PreviewContext) {
  const refused = (reason: Reason | null) => ({ record: null, reason });
  if (line.trim() === '') return refused(null);
  if (Buffer.byteLength(line) > lineBytes) return refused('line-too-long');
  const log = reader.of(line, now);
  if (typeof log === 'string') return refused(log);
  const _time = toStamp(Temporal.Instant.fromEpochMilliseconds(log.time), zone);
  return { record: { _time, ...shownConstants(recordIn(log.text), zone) }, reason: null };
}

type PreviewContext = Pick<PreviewTask, 'zone' | 'now' | 'lineBytes'>;
