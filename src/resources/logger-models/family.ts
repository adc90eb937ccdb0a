// A logger model: of which kind its loggers are, and how they parse text.

import { duplicatedLoggerModel, notFound, tooManyCharacters } from '#contract/errors.ts';
import { array, type JsonObject, map as mapParam, members } from '#http/json-params.ts';
import { oneOf, required, text } from '#http/params.ts';
import { arrayOf, int32, map, optional, orNull, string } from '#http/shapes.ts';
import { parserNamed } from '#ingest/parsers/index.ts';
import { family } from '#objects/family.ts';
import { computed, json, plain } from '#objects/fields.ts';
import type { LoggerModelRow } from '#store/schema.ts';

const FACTORIES = ['http', 'syslog-udp', 'syslog-tcp', 'file'] as const;

const FACTORY_NAMES: Readonly<Record<string, string>> = {
  http: 'HTTP push',
  'syslog-udp': 'Syslog (UDP)',
  'syslog-tcp': 'Syslog (TCP)',
  file: 'File',
} satisfies Record<(typeof FACTORIES)[number], string>;

const words = (most: number) => text(most, tooManyCharacters);

const anObject = members({});

/** Kept as given: what the rules say is looked at when they are run. */
const rules = array<JsonObject>({ items: { type: 'object' } }, (item, name, circumstances) => {
  anObject(item, name, circumstances);
  return item as JsonObject; // Just checked to be one.
});

const rulesIn = (kept: unknown): readonly object[] => (typeof kept === 'string' ? JSON.parse(kept) : []);

export const loggerModels = family({
  path: 'logger-models',
  thing: 'logger model',
  things: 'logger models',
  singular: 'logger_model',
  plural: 'logger_models',
  table: 'logger_models',
  hasDryRun: true,
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
    parser_configs: json(mapParam, optional(map)),
    rules: { ...json(rules, arrayOf(map)), show: async (rows) => rows.map((row) => rulesIn(row.rules)) },
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
  notes: {
    remove:
      'Loggers of a removed model take no logs. With `dry_run=true` nothing is removed and `references` names them.',
  },
});
