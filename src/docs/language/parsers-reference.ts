// The reference of the parsers of logs, made from their declarations.

import { code, markdownTable } from '#docs/markdown.ts';
import { ruleOf, typeName } from '#docs/openapi/schema-words.ts';
import { PRODUCT_NAME } from '#docs/product.ts';
import { PARSERS } from '#ingest/parsers/index.ts';
import type { Parser, ParserExample } from '#ingest/parsers/parser.ts';

export function parsersReference(): string {
  const parts = [
    `# ${PRODUCT_NAME}: parsers of logs`,
    'A logger model names the parser of its loggers by its code (`parser_code`) and configures it in `parser_configs`, a map; keys that a parser does not know are kept and ignored. Rules of a model may name further parsers, which are told the same.',
    'The time of a log is its field `_time`, as time text or epoch milliseconds; without one it is the time that the parser found, and otherwise the moment of arrival. A `_time` that is neither rejects the line (`invalid-time`); a `time_field` that is absent or unreadable leaves the moment of arrival, and the field stays. In the examples the zone of the service is Asia/Seoul.',
    ...PARSERS.flatMap(section),
  ];
  return `${parts.join('\n\n')}\n`;
}

function section(parser: Parser): string[] {
  const configs = Object.entries(parser.configs);
  const rows = configs.map(([name, { schema, isRequired }]) => [
    code(name),
    isRequired ? 'yes' : '',
    typeName(schema),
    ruleOf(schema),
    'default' in schema ? code(JSON.stringify(schema.default)) : '',
  ]);
  const table = markdownTable({ head: ['Key', 'Required', 'Type', 'Rule', 'Default'], rows });
  return [
    `## ${parser.name}: ${code(parser.code)}`,
    parser.description,
    ...(rows.length > 0 ? [table] : []),
    exampleOf(parser.example),
  ];
}

function exampleOf({ configs, line, fields, time }: ParserExample): string {
  const lines = [
    ...(configs ? [`parser_configs  ${JSON.stringify(configs)}`] : []),
    `line            ${line}`,
    `fields          ${JSON.stringify(fields)}`,
    ...(time ? [`time            ${time}`] : []),
  ];
  return ['```text', ...lines, '```'].join('\n');
}
