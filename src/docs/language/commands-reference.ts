// The reference of the commands of the query language, made from their declarations.

import { code, markdownCode, markdownList, markdownTable } from '#docs/markdown.ts';
import { PRODUCT_NAME } from '#docs/product.ts';
import { commands } from '#query/commands/index.ts';
import { helpOn } from '#query/help.ts';
import { mistakes } from '#query/model/messages.en.ts';
import type { CommandClass, CommandDeclaration } from '#query/planning/command.ts';
import { exampleText } from './example-text.ts';
import { LANGUAGE_RULES } from './language-rules.ts';

const CLASSES: Readonly<Record<CommandClass, string>> = {
  driver: 'make rows; a query begins with one of them',
  processing: 'look at one row at a time',
  transforming: 'look at many rows',
  sink: 'write elsewhere and pass every row on',
};

export function commandsReference(): string {
  const parts = [
    `# ${PRODUCT_NAME}: commands of the query language`,
    'A query is a pipeline of commands: `table web | search status >= 500 | stats count by src_ip`. Each takes the rows of the one before it.',
    Object.entries(CLASSES).map(classLine).join('\n'),
    'In the syntax `[x]` is optional, `a|b` a choice and `x, ...` a list. N is a whole number, F a field, D a duration such as `15m`, T a time such as `20261115` or `"2026-11-15 09:00:00"`; `[key=value]` is an option with its default and stands before everything else, or behind the first word where the syntax shows it there. `names` are fields separated by commas; `keys` may each have a sign, `+` or `-`. A query in brackets is written `[ QUERY ]`.',
    'In the examples the text `@2026-11-15 09:00:00+0900` stands for that date, and a field that is not written is null. Functions and aggregates are in [functions.md](functions.md).',
    ...commands.flatMap(section),
    '## Values, errors and limits',
    markdownList(LANGUAGE_RULES),
  ];
  return `${parts.join('\n\n')}\n`;
}

function optionsTable(name: string): string[] {
  const options = helpOn(name, 'en').command?.options ?? [];
  if (options.length === 0) return [];
  const rows = options.map((option) => [
    code(option.name),
    option.values ? option.values.map(code).join(' ') : option.type,
    option.default === null ? '' : code(option.default),
    option.summary,
  ]);
  return [markdownTable({ head: ['Option', 'Values', 'Default', 'Meaning'], rows })];
}

const classLine = ([kind, meaning]: [string, string]) => `- **${kind}** commands ${meaning}: ${linksOf(kind)}.`;

const linksOf = (kind: string) =>
  commands
    .filter((command) => command.class === kind)
    .map(({ name }) => `[${code(name)}](#${name})`)
    .join(' ');

function section({ name, syntax, summary, rules = [], errors, examples, ...command }: CommandDeclaration): string[] {
  return [
    `## ${name}`,
    `${summary.en} (${command.class})`,
    markdownCode(syntax, 'text'),
    ...(rules.length > 0 ? [markdownList(rules)] : []),
    ...optionsTable(name),
    ...(errors.length > 0
      ? [markdownTable({ head: ['Error', 'Text'], rows: errors.map((error) => [String(error), mistakes[error]]) })]
      : []),
    ...examples.map((example) => markdownCode(exampleText(example), 'text')),
  ];
}
