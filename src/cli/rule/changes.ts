// Prints the differences between two versions of a rule: a line per field, then removed and added lines.

import { styleText } from 'node:util';
import type { Invocation } from '#cli/kit/command.ts';
import { printable } from '#cli/kit/output/text-table.ts';
import type { AnswerFor } from '#client/call.ts';

type Change = AnswerFor<'GET /api/core/batch-rules/:guid/versions/:version/diff'>['changes'][number];

export function printChanges({ print, isColoured }: Invocation, changes: readonly Change[]): void {
  const styled = (style: 'bold' | 'green' | 'red', text: string) =>
    isColoured ? styleText(style, text, { validateStream: false }) : text;
  for (const { field, from, to } of changes) {
    print(styled('bold', printable(field)));
    for (const { mark, text } of markedLines(linesOf(from), linesOf(to))) {
      const line = `  ${mark} ${printable(text)}`.trimEnd();
      print(mark === ' ' ? line : styled(mark === '-' ? 'red' : 'green', line));
    }
  }
}

interface Marked {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** Common first and last lines are shown once, without a mark. */
export function markedLines(from: readonly string[], to: readonly string[]): Marked[] {
  const shorter = Math.min(from.length, to.length);
  let before = 0;
  while (before < shorter && from[before] === to[before]) before += 1;
  let behind = 0;
  while (behind < shorter - before && from.at(-1 - behind) === to.at(-1 - behind)) behind += 1;
  const marked = (mark: Marked['mark'], lines: readonly string[]) => lines.map((text) => ({ mark, text }));
  return [
    ...marked(' ', from.slice(0, before)),
    ...marked('-', from.slice(before, from.length - behind)),
    ...marked('+', to.slice(before, to.length - behind)),
    ...marked(' ', to.slice(to.length - behind)),
  ];
}

/** The lines of a text, the items of a list; none for an absent value. */
function linesOf(value: unknown): readonly string[] {
  if (value === null || value === undefined) return [];
  if (typeof value === 'string') return value.split(/\r?\n/);
  if (Array.isArray(value)) return value.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
  return [JSON.stringify(value)];
}
