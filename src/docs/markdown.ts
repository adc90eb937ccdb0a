// Pieces of Markdown.

import type { Table } from './reference/reference-tables.ts';

/** Text as code. A backtick would end it, so text with one stays plain. */
export const code = (text: string): string => (text.includes('`') ? text : `\`${text}\``);

/** Text in which backticks mark code and nothing else means anything. */
export const plain = (text: string): string =>
  text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[\\*<>[\]]/g, '\\$&')))
    .join('`');

export const markdownList = (items: readonly string[]): string => items.map((item) => `- ${plain(item)}`).join('\n');

export function markdownTable({ head, rows }: Table): string {
  return [head, head.map(() => '---'), ...rows.map((row) => row.map(plain))].map(line).join('\n');
}

export const markdownCode = (text: string, language: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

// A bar ends a cell even inside code.
const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
