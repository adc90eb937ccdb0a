// Parsers by themselves: what they make of a line.

import { parserNamed } from '#ingest/parsers/index.ts';
import { configsFor, type Parser, type ReadLine } from '#ingest/parsers/parser.ts';
import { threadLimit } from '#ingest/reading/work-limit.ts';
import type { Json } from '#kernel/json/canonical-json.ts';
import { RowRecords } from '#logs/row-record.ts';

export const ZONE = 'Asia/Seoul';
/** 2026-11-15 12:00 in Seoul. */
export const AT = Date.parse('2026-11-15T03:00:00Z');
const CONTEXT = { now: Temporal.Instant.fromEpochMilliseconds(AT), maxGuids: 10 };

export const readLine = (parser: Parser, configs: Json = {}, zone = ZONE): Promise<ReadLine> =>
  parser.compile(configsFor(parser, configs, CONTEXT), zone, threadLimit(100_000));

/** The fields of a line with its time, if it has one; undefined where it cannot be read. */
export async function read(code: string, line: string, configs: Json = {}, { at = AT, zone = ZONE } = {}) {
  const parser = parserNamed(code);
  if (!parser) throw new Error(`no parser ${code}`);
  const found = (await readLine(parser, configs, zone))(line, at);
  if (!found) return undefined;
  const { text } = new RowRecords().of(found.fields, 0);
  const time = found.time === undefined ? {} : { time: Temporal.Instant.fromEpochMilliseconds(found.time).toString() };
  return { ...JSON.parse(text), ...time };
}
