// A table that is larger than the screen, seen through a window that can be moved over it. Pure: what keys do to the
// window, and what it shows. Lines come to it page by page, each page aligned among itself and with names of its own.

import type { TablePage } from '#cli/query/rows-table.ts';
import { cellsOf } from '#kernel/cells.ts';
import type { Key } from './keys.ts';
import type { Screen } from './prompt-view.ts';

export interface Window {
  /** The first line and the first column of cells that are seen. */
  readonly top: number;
  readonly left: number;
}

export const FIRST: Window = { top: 0, left: 0 };

export class Table {
  readonly #lines: { readonly text: string; readonly head: string }[] = [];
  #cells = 0;

  add({ head, lines }: TablePage): void {
    this.#cells = Math.max(this.#cells, cellsOf(head), ...lines.map(cellsOf));
    for (const text of lines) this.#lines.push({ text, head });
  }

  get length(): number {
    return this.#lines.length;
  }

  /** Of the widest line. */
  get cells(): number {
    return this.#cells;
  }

  /** The names above what begins with this line. */
  headAt(line: number): string {
    return this.#lines[Math.min(line, this.length - 1)]?.head ?? '';
  }

  textAt(line: number): string {
    return this.#lines[line]?.text ?? '';
  }

  /** The number of the next line, from this one on or back, that holds the text; capital letters count where some are given. */
  find(text: string, from: number, step: 1 | -1): number | undefined {
    const hasCapitals = text !== text.toLowerCase();
    for (let line = from; line >= 0 && line < this.length; line += step) {
      const held = this.textAt(line);
      if ((hasCapitals ? held : held.toLowerCase()).includes(text)) return line;
    }
    return undefined;
  }
}

/** One row is for the names, one for what can be done. */
export const linesSeen = ({ rows }: Screen): number => Math.max(rows - 2, 1);

const STEPS: Readonly<Record<string, readonly [lines: 'line' | 'page', count: number]>> = {
  down: ['line', 1],
  j: ['line', 1],
  enter: ['line', 1],
  up: ['line', -1],
  k: ['line', -1],
  ' ': ['page', 1],
  f: ['page', 1],
  'page-down': ['page', 1],
  b: ['page', -1],
  'page-up': ['page', -1],
};

const ENDS: Readonly<Record<string, 'first' | 'last'>> = { g: 'first', home: 'first', G: 'last', end: 'last' };

/** What a key is called here: letters by themselves. */
export const keyText = (key: Key): string => ('name' in key ? key.name : key.text);

/** Where the window is after a key; undefined for one that does not move it. The last page is full where there is one. */
export function moved(
  window: Window,
  key: Key,
  { table, screen }: { table: Table; screen: Screen },
): Window | undefined {
  const name = keyText(key);
  const page = linesSeen(screen);
  const half = Math.max(Math.floor(screen.columns / 2), 1);
  const bounded = (top: number): Window => ({ ...window, top: Math.max(0, Math.min(top, table.length - page)) });
  const [unit, count] = STEPS[name] ?? [];
  if (unit !== undefined && count !== undefined) return bounded(window.top + count * (unit === 'page' ? page : 1));
  if (ENDS[name] !== undefined) return bounded(ENDS[name] === 'first' ? 0 : table.length);
  const most = Math.max(0, table.cells - screen.columns + 1);
  if (name === 'right') return { ...window, left: Math.min(window.left + half, most) };
  if (name === 'left') return { ...window, left: Math.max(0, window.left - half) };
  return undefined;
}

/** The names of the columns, and the lines below them. */
export function seen({ top, left }: Window, table: Table, screen: Screen): string[] {
  const width = Math.max(screen.columns - 1, 1);
  const lines = Array.from({ length: linesSeen(screen) }, (_, row) => table.textAt(top + row));
  return [table.headAt(top), ...lines].map((line) => cellsFrom(line, left, width));
}

/** So many cells of a text from a cell on. What is cut through its middle is blank. */
export function cellsFrom(text: string, left: number, width: number): string {
  let shown = '';
  let at = 0;
  for (const point of text) {
    const cells = cellsOf(point);
    const isInside = at >= left && at + cells <= left + width;
    const isCut = cells > 1 && !isInside && at < left + width && at + cells > left;
    if (isInside && (cells > 0 || at > left)) shown += point;
    if (isCut) shown += ' ';
    at += cells;
    if (at > left + width) break;
  }
  return shown;
}
