// Queries of a service through its published interface.

import type { Service } from './service-calls.ts';

export type WireRow = Readonly<Record<string, unknown>>;

export interface Answered {
  readonly id: number;
  readonly rows: readonly WireRow[];
}

export const queryPath = (q: string): string => `/api/core/query?q=${encodeURIComponent(q)}`;

export async function answered(service: Service, q: string): Promise<Answered> {
  const { headers, text } = await service.call('GET', queryPath(q));
  const id = Number(headers.get('x-query-id') ?? Number.NaN);
  return { id, rows: rowsIn(text) };
}

export const rowsIn = (text: string): WireRow[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** What these benches read of a status record. */
export interface QueryStatus {
  readonly rows: number;
  /** Milliseconds. */
  readonly elapsed: number;
  readonly is_finished: boolean;
  readonly is_cancelled: boolean;
  readonly commands: readonly CommandStatus[];
  readonly sub_queries: readonly { readonly commands: readonly CommandStatus[] }[];
}

interface CommandStatus {
  readonly command: string;
  readonly status: string;
  readonly push_count: number;
}

export async function statusOf(service: Service, id: number): Promise<QueryStatus> {
  return (await service.call('GET', `/api/core/queries/${id}`)).json;
}

/** A query whose rows are held for later; gives its id at once. */
export async function begun(service: Service, q: string): Promise<number> {
  return (await service.call('POST', '/api/core/cursors', { form: { q } })).json.id;
}

export async function cancel(service: Service, id: number): Promise<void> {
  await service.call('POST', `/api/core/queries/${id}/cancel`);
}

export async function forget(service: Service, id: number): Promise<void> {
  await service.call('DELETE', `/api/core/cursors/${id}`);
}

/**
 * Rows of either side as what must be equal: our rows leave absent values out and write times to the second, plain SQL
 * writes long numbers as text, has values of other types and leaves of objects in columns of their own (`code:string`,
 * `kubernetes.namespace`) or in `_rest`, and does not know the name of the table.
 */
export const comparable = (rows: readonly WireRow[]): WireRow[] =>
  rows.map((row) => {
    const { _rest, _table, ...stored } = row;
    const rest = typeof _rest === 'string' ? JSON.parse(_rest) : {};
    const present = [...Object.entries(stored), ...Object.entries(rest)].flatMap(([name, value]) =>
      leavesOf(fieldOf(name), value),
    );
    return Object.fromEntries(present.sort(([one], [other]) => (one < other ? -1 : 1)));
  });

/** Values by their paths: a leaf of an object may have a column of its own. */
function leavesOf(path: string, value: unknown): (readonly [path: string, text: string])[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object' || Array.isArray(value)) return [[path, textOf(path, value)]];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(`${path}.${key}`, inner));
}

const fieldOf = (column: string): string => column.replace(/:(string|number|bool)$/, '');

const SECONDS = 'yyyy-MM-dd HH:mm:ss'.length;

function textOf(name: string, value: unknown): string {
  if (name === '_time') return String(value).slice(0, SECONDS);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
