// Logs to test a rule on: pasted text, or rows of a table.

import { parseRow, type Row, rawNumber } from '#console/results/row.ts';

/** As many as the operation takes. */
export const MAX_RECORDS = 1000;

export type TestRecord = Readonly<Record<string, unknown>>;

/** A JSON object per line, or one array of objects. A line that is no object is the field `line`. */
export function pastedRecords(text: string): readonly TestRecord[] {
  const whole = parsed(text);
  if (Array.isArray(whole)) return whole.map(recordOf);
  if (isRecord(whole)) return [recordOf(whole)];
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const value = parsed(line);
      return isRecord(value) ? recordOf(value) : { line };
    });
}

function parsed(text: string): unknown {
  try {
    return parseRow(text);
  } catch {
    return undefined;
  }
}

const recordOf = (value: unknown): TestRecord => (isRecord(value) ? sendableFields(value) : { line: String(value) });

const isRecord = (value: unknown): value is TestRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const recordOfRow = (row: Row): TestRecord =>
  sendableFields(
    Object.fromEntries(
      Object.entries(row).filter(
        ([name, value]) => value !== null && name !== '_id' && name !== '_table' && name !== '_schema',
      ),
    ),
  );

/** Long numbers are bigints here; a request has them as numbers with all their digits. */
const sendableFields = (fields: TestRecord): TestRecord =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, sendable(value)]));

function sendable(value: unknown): unknown {
  if (typeof value === 'bigint') return rawNumber(value);
  if (Array.isArray(value)) return value.map(sendable);
  return isRecord(value) ? sendableFields(value) : value;
}
