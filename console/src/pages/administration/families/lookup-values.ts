// Rows of a lookup as a form edits them: texts, which keep the type that a value had.

import { call, callWith } from '#console/client/call.ts';
import type { Lookup } from './lookups.tsx';

export type LookupRow = Readonly<Record<string, unknown>>;

export const ROWS = 'GET /api/core/lookups/:guid/rows';
export const LOAD = 'PUT /api/core/lookups/:guid/rows';
/** Rows that one request reads. */
export const MAX_READ_ROWS = 10_000;

export const rowText = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** The value of an edited text: what was not changed stays what it was, numbers and flags stay such. Undefined where empty. */
export function editedValue(text: string, before: unknown): unknown {
  if (text === rowText(before)) return before;
  if (text === '') return undefined;
  if (typeof before === 'number' && Number.isFinite(Number(text))) return Number(text);
  if (typeof before === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

export const mergeRow = (guid: string, row: LookupRow): Promise<unknown> =>
  callWith({ content: { type: 'application/json', body: JSON.stringify([row]) } }, LOAD, { guid, mode: 'merge' });

/** Loads all rows but one: the interface has no removal of single rows. False where the rows have changed meanwhile. */
export async function removeRow({ guid, key, version }: Lookup, gone: unknown): Promise<boolean> {
  const { rows } = await call(ROWS, { guid, limit: MAX_READ_ROWS });
  const { lookup } = await call('GET /api/core/lookups/:guid', { guid });
  if (lookup?.version !== version || rows.length !== lookup.row_count) return false;
  const left = rows.filter((row) => rowText(row[key]) !== rowText(gone));
  await callWith({ content: { type: 'application/json', body: JSON.stringify(left) } }, LOAD, {
    guid,
    mode: 'replace',
  });
  return true;
}
