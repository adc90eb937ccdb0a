// A logger model: the kind of its loggers, and how they parse logs.

import { duplicatedLoggerModel, notFound } from '#contract/errors.ts';
import { oneOf, required } from '#http/params.ts';
import { int32, map, optional, orNull, string } from '#http/shapes.ts';
import type { KeptRule } from '#ingest/model.ts';
import { parserNamed } from '#ingest/parsers/index.ts';
import { type AnyRow, family, type RecordContext, type WriteContext } from '#objects/family.ts';
import { computed, json, plain } from '#objects/fields.ts';
import type { LoggerModelRow } from '#store/schema.ts';
import {
  modelRules,
  parserConfigs,
  requireReferences,
  ruleRecords,
  rulesIn,
  shownRules,
  validateQueries,
  words,
} from './parsing.ts';

const FACTORIES = ['http', 'syslog-udp', 'syslog-tcp', 'file'] as const;

const FACTORY_NAMES: Readonly<Record<string, string>> = {
  http: 'HTTP push',
  'syslog-udp': 'Syslog (UDP)',
  'syslog-tcp': 'Syslog (TCP)',
  file: 'File',
} satisfies Record<(typeof FACTORIES)[number], string>;

export const loggerModels = family({
  path: 'logger-models',
  thing: 'logger model',
  things: 'logger models',
  singular: 'logger_model',
  plural: 'logger_models',
  table: 'logger_models',
  hasDryRun: true,
  isNeededByRules: true,
  fields: {
    name: plain(required(words(50))),
    description: plain(words(2000)),
    logger_factory_name: plain(required(oneOf(FACTORIES))),
    parser_code: {
      ...plain(required(words(50))),
      require(code: string) {
        if (!parserNamed(code)) throw notFound('parser', code);
      },
    },
    parser_configs: json(parserConfigs, optional(map)),
    rules: {
      ...json(modelRules, ruleRecords),
      require: (rules: readonly KeptRule[] | undefined, { call: { db } }: WriteContext) => requireReferences(db, rules),
      show: (rows: readonly AnyRow[], { db }: RecordContext) =>
        shownRules(
          db,
          rows.map((row) => rulesIn(row.rules)),
        ),
    },
  },
  derived: {
    logger_factory_display_name: computed(
      string,
      ({ logger_factory_name }: LoggerModelRow) => FACTORY_NAMES[logger_factory_name],
    ),
    parser_name: computed(orNull(string), ({ parser_code }: LoggerModelRow) => parserNamed(parser_code)?.name),
    rule_count: computed(int32, ({ rules }: LoggerModelRow) => rulesIn(rules).length),
  },
  duplicated: duplicatedLoggerModel,
  prepare: ({ rules }, call) => validateQueries(rules, call),
  followUp: ({ collectors }) => collectors.changed(),
  notes: {
    create:
      'Rules are tried in their order on every log: the parser of a rule reads the line of the log, or its field `line`, and its fields are laid over; then its query lets the log pass or not. The first that does decides: what came out is kept, as a log of the schema, whose code is written to `_schema`. A log that no rule lets pass is kept as it was.',
    update: 'Replaces: what is absent goes. A change acts on the next log.',
    remove:
      'Loggers of a removed model take no logs. With `dry_run=true` nothing is removed and `references` names them.',
  },
});
