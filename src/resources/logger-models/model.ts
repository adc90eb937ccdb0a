// A logger model: of which kind its loggers are, and how they parse text.

import { notFound } from '#contract/errors.ts';
import { toStamp } from '#contract/times.ts';
import type { JsonObject } from '#http/json-params.ts';
import { arrayOf, guidText, int32, map, object, optional, orNull, stamp, string } from '#http/shapes.ts';
import { parserNamed } from '#ingest/parsers.ts';
import { searchable } from '#kernel/folded.ts';
import type { LoggerModelRow } from '#store/schema.ts';

export const FACTORIES = ['http', 'syslog-udp', 'syslog-tcp', 'file'] as const;
export type Factory = (typeof FACTORIES)[number];

const FACTORY_NAMES: Readonly<Record<Factory, string>> = {
  http: 'HTTP push',
  'syslog-udp': 'Syslog (UDP)',
  'syslog-tcp': 'Syslog (TCP)',
  file: 'File',
};

export const loggerModelRecord = object({
  guid: guidText,
  name: string,
  description: optional(string),
  logger_factory_name: string,
  logger_factory_display_name: string,
  parser_code: string,
  parser_name: orNull(string),
  parser_configs: optional(map),
  rules: arrayOf(map),
  rule_count: int32,
  created: stamp,
  updated: stamp,
});

export function toRecord(row: LoggerModelRow, zone: string) {
  const rules = row.rules === null ? [] : JSON.parse(row.rules);
  return {
    guid: row.guid,
    name: row.name,
    ...(row.description === null ? {} : { description: row.description }),
    logger_factory_name: row.logger_factory_name,
    // Written by us, from the closed set.
    logger_factory_display_name: FACTORY_NAMES[row.logger_factory_name as Factory],
    parser_code: row.parser_code,
    parser_name: parserNamed(row.parser_code)?.name ?? null,
    ...(row.parser_configs === null ? {} : { parser_configs: JSON.parse(row.parser_configs) }),
    rules,
    rule_count: rules.length,
    created: toStamp(Temporal.Instant.fromEpochMilliseconds(row.created_at), zone),
    updated: toStamp(Temporal.Instant.fromEpochMilliseconds(row.updated_at), zone),
  };
}

interface Given {
  readonly name: string;
  readonly description: string | undefined;
  readonly logger_factory_name: Factory;
  readonly parser_code: string;
  readonly parser_configs: JsonObject | undefined;
  readonly rules: readonly JsonObject[] | undefined;
}

/** The columns of what was given. */
export function columnsOf({ name, logger_factory_name, parser_code, ...given }: Given) {
  const description = given.description ?? null;
  return {
    name,
    description,
    logger_factory_name,
    parser_code,
    parser_configs: given.parser_configs === undefined ? null : JSON.stringify(given.parser_configs),
    rules: given.rules === undefined ? null : JSON.stringify(given.rules),
    search: searchable([name, description]),
  };
}

export function requireParser(code: string): void {
  if (!parserNamed(code)) throw notFound('parser', code);
}
