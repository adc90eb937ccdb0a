// Reads rows of a cursor as lines, up to a number of bytes: lines of a megabyte must not fill the memory of a browser.

import { parseRow, type Row } from './row.ts';

export interface ReadRows {
  readonly rows: readonly Row[];
  readonly bytes: number;
  /** False where reading stopped at the bound. */
  readonly isComplete: boolean;
}

/** Always reads the first row, however long it is. */
export async function readRows(answer: Response, maxBytes: number): Promise<ReadRows> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return { rows: [], bytes: 0, isComplete: true };
  const rows: Row[] = [];
  const rest: string[] = [];
  let bytes = 0;
  while (true) {
    const { done, value } = await reader.read();
    if (done) return { rows, bytes, isComplete: true };
    bytes += value.length;
    takeLines(value, rest, rows);
    if (bytes < maxBytes || rows.length === 0) continue;
    await reader.cancel();
    return { rows, bytes, isComplete: false };
  }
}

/** Adds whole lines to `rows`; what follows the last line break stays in `rest`. */
function takeLines(text: string, rest: string[], rows: Row[]): void {
  const last = text.lastIndexOf('\n');
  if (last === -1) {
    rest.push(text);
    return;
  }
  const whole = rest.splice(0).join('') + text.slice(0, last);
  for (const line of whole.split('\n')) if (line !== '') rows.push(parseRow(line));
  rest.push(text.slice(last + 1));
}
