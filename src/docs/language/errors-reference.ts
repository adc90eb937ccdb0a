// The reference of the numbered errors of the query language, made from their texts and from the commands that name them.

import { code, markdownTable } from '#docs/markdown.ts';
import { PRODUCT_NAME } from '#docs/product.ts';
import { commands } from '#query/commands/index.ts';
import { mistakes } from '#query/model/messages.en.ts';

export function errorsReference(): string {
  const rows = Object.entries(mistakes).map(([number, text]) => [number, text, commandsNaming(Number(number))]);
  const parts = [
    `# ${PRODUCT_NAME}: errors of the query language`,
    'A query that cannot run is refused with one of these errors. `error_msg` holds its number, its text and its place in the query; the words in braces stand for parts of the query.',
    '## Numbers',
    markdownTable({ head: ['Error', 'Text', 'Commands'], rows }),
  ];
  return `${parts.join('\n\n')}\n`;
}

const commandsNaming = (error: number) =>
  commands
    .filter(({ errors }) => errors.some((one) => one === error))
    .map(({ name }) => code(name))
    .join(', ');
