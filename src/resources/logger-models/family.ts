// A logger model: the kind of its loggers, and how they parse logs.

import { duplicatedLoggerModel, notFound } from '#contract/errors.ts';
import { parserNamed } from '#ingest/parsers/index.ts';
import type { KeptRule } from '#ingest/reading/model.ts';
import { type AnyRow, family, type RecordContext, type WriteContext } from '#objects/families/family.ts';
import { computed, json, plain } from '#objects/families/fields.ts';
import { choice, int32, map, optional, orNull, string } from '#operations/answers/shapes.ts';
import { oneOf, required } from '#operations/params/params.ts';
import { resolveReferences } from '#store/rows/resolve.ts';
import type { LoggerModelRow } from '#store/schema/schema.ts';
import {
  modelRules,
  parserConfigs,
  parserExists,
  requireReferences,
  ruleRecords,
  rulesIn,
  shownRules,
  validateQueries,
  words,
} from './parsing.ts';

const FACTORIES = ['http', 'syslog-udp', 'syslog-tcp', 'syslog-tls', 'file'] as const;

const FACTORY_NAMES: Readonly<Record<string, string>> = {
  http: 'HTTP push',
  'syslog-udp': 'Syslog (UDP)',
  'syslog-tcp': 'Syslog (TCP)',
  'syslog-tls': 'Syslog (TLS)',
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
    logger_factory_name: plain(required(oneOf(FACTORIES)), choice(FACTORIES)),
    parser_code: {
      ...plain(required(words(50))),
      async require(code: string, { call: { db } }: WriteContext) {
        if (!(await parserExists(db, code))) throw notFound('parser', code);
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
    parser_name: {
      shape: orNull(string),
      async of(rows: readonly LoggerModelRow[], { db }: RecordContext) {
        const keys = rows.map(({ parser_code: key }) => ({ thing: 'parser', key }) as const);
        const stored = await resolveReferences(db, keys);
        return keys.map((key) => parserNamed(key.key)?.name ?? stored.nameOf(key) ?? null);
      },
    },
    rule_count: computed(int32, ({ rules }: LoggerModelRow) => rulesIn(rules).length),
  },
  duplicated: duplicatedLoggerModel,
  prepare: ({ rules }, call) => validateQueries(rules, call),
  followUp: ({ collectors }) => collectors.changed(),
  meanings: {
    logger_factory_name: 'Kind of logger.',
    parser_code: 'Code of the parser that reads the logs.',
    parser_configs: 'Configuration of the parser.',
    rules: 'Rules that assign a log schema; the first rule whose query passes a log applies.',
    logger_factory_display_name: 'Name of the kind of logger, for people.',
    parser_name: 'Name of the parser, for people; null where there is no such parser.',
    rule_count: 'Number of rules.',
  },
  notes: {
    create:
      'Rules are tried in their order on every log: the parser of a rule reads the line of the log, or its field ' +
      '`line`, and its fields are laid over; then its query passes the log or not. The first rule that passes the ' +
      'log decides: its result is stored as a log of the schema, whose code is written to `_schema`. A log that ' +
      'no rule passes is stored as it came.\n\n' +
      'A rule without query and parser passes every log. A rule whose parser cannot read the log, whose query ' +
      'needs more than `rule-steps`, or whose address group was removed does not pass it. `stream_query` takes ' +
      'the commands of stream rules; `_time` and `_table` are there, `whoami()` is `system`, and a changed ' +
      '`_time` is the time of the log. A time found by the parser counts for a log without `_time`. Fields that ' +
      'the schema declares are converted as in queries; values that cannot be converted stay. The result has no ' +
      'null fields and no `_node`; whole numbers beyond 64 bits become doubles. A removed schema still gives its ' +
      'code and converts nothing; `_schema` written by a sender is data.\n\n' +
      'All parsers of a model get the same `parser_configs`; unknown keys are stored. A wrong pattern is 400 ' +
      "`'parser_configs.pattern' should be a regular expression with named groups: (<code>) <message> at " +
      "<line>:<column>`, a wrong date pattern `'parser_configs.time_format' should be a date pattern.`. Guids of " +
      'rules are made where absent; a guid twice is `duplicated guid: <guid>`. `stream_interval` is stored and ' +
      'has no effect: every log is examined as it arrives. `parser_name` is null for a removed parser.',
    update: 'Replaces: a field that is absent is removed. A change acts on the next log.',
    remove:
      'Loggers of a removed model take no logs. With `dry_run=true` nothing is removed and `references` names them.',
  },
});
