// Logs to test a rule on: pasted text, or rows of a table.

import { type Row, rawNumber } from '#console/results/row.ts';

/** As many as the operation takes. */
export const MAX_RECORDS = 1000;

export type TestRecord = Readonly<Record<string, unknown>>;

/** A JSON object per line, or one array of objects. A line that is no object is the field `line`. */
export function pastedRecords(text: string): readonly TestRecord[] {
  const whole = parsed(text);
  if (Array.isArray(whole)) return whole.map(recordOf);
  if (isRecord(whole)) return [whole];
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const value = parsed(line);
      return isRecord(value) ? value : { line };
    });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const recordOf = (value: unknown): TestRecord => (isRecord(value) ? value : { line: String(value) });

const isRecord = (value: unknown): value is TestRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Long numbers of rows are bigints; a request has them as numbers with all their digits. */
export const recordOfRow = (row: Row): TestRecord =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name, value]) => value !== null && name !== '_id' && name !== '_table' && name !== '_schema')
      .map(([name, value]) => [name, sendable(value)]),
  );

function sendable(value: unknown): unknown {
  if (typeof value === 'bigint') return rawNumber(value);
  if (Array.isArray(value)) return value.map(sendable);
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, sendable(item)]))
    : value;
}
