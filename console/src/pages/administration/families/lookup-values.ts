// Rows of a lookup as a form edits them: texts, which keep the type that a value had.

import type { AnswerFor, RequestFor } from '#client/call.ts';
import { ask, type CallOptions, call, callWith } from '#console/client/call.ts';
import { jsonText, parseRow, valueText } from '#console/results/row.ts';
import type { Lookup } from './lookups.tsx';

export type LookupRow = Readonly<Record<string, unknown>>;

export const ROWS = 'GET /api/core/lookups/:guid/rows';
export const LOAD = 'PUT /api/core/lookups/:guid/rows';
/** Rows that one request reads. */
export const MAX_READ_ROWS = 10_000;

/** With all digits of their numbers: a change of one row sends the others back. */
export async function readRows(request: RequestFor<typeof ROWS>, options?: CallOptions) {
  const answer = await ask(ROWS, request, options);
  return parseRow(await answer.text()) as unknown as AnswerFor<typeof ROWS>; // As the operation declares it.
}

export const rowText = valueText;

/** The value of an edited text: what was not changed stays what it was, numbers and flags stay such. Undefined where empty. */
export function editedValue(text: string, before: unknown): unknown {
  if (text === rowText(before)) return before;
  if (text === '') return undefined;
  if (typeof before === 'number' || typeof before === 'bigint') return numberOf(text) ?? text;
  if (typeof before === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function numberOf(text: string): number | bigint | undefined {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) return undefined;
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(number) ? BigInt(text) : number;
}

const load = (guid: string, mode: 'merge' | 'replace', rows: readonly LookupRow[]): Promise<unknown> =>
  callWith({ content: { type: 'application/json', body: jsonText(rows) } }, LOAD, { guid, mode });

export const mergeRow = (guid: string, row: LookupRow): Promise<unknown> => load(guid, 'merge', [row]);

/** Loads all rows but one: the interface has no removal of single rows. False where the rows have changed meanwhile. */
export async function removeRow({ guid, key, version }: Lookup, gone: unknown): Promise<boolean> {
  const { rows } = await readRows({ guid, limit: MAX_READ_ROWS });
  const { lookup } = await call('GET /api/core/lookups/:guid', { guid });
  if (lookup?.version !== version || rows.length !== lookup.row_count) return false;
  const left = rows.filter((row) => rowText(row[key]) !== rowText(gone));
  await load(guid, 'replace', left);
  return true;
}
