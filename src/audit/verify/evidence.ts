// The log in a database. Hashes are computed over the stored text itself, so that even a change that a JSON parser
// would not notice is detected.

import { hash } from 'node:crypto';
import { ENTRY_COLUMNS, entryOfRow } from '#audit/entry.ts';
import type { StoredCheckpoint } from './checkpoint-check.ts';
import type { Snapshot } from './snapshot.ts';
import type { LoggedEntry } from './verify.ts';

/** The hash last, and before it the hashed columns in the order of canonical JSON. */
export const COLUMNS = [...ENTRY_COLUMNS.filter((column) => column !== 'hash').toSorted(), 'hash'];
const HASHED = COLUMNS.length - 1;
const ID = COLUMNS.indexOf('id');
const CREATED_AT = COLUMNS.indexOf('created_at');
const NAMES = COLUMNS.map((column) => `"${column}":`);
const IS_JSON = COLUMNS.map((column) => column === 'params' || column === 'msg_params');

export async function* storedEntries(snapshot: Snapshot): AsyncGenerator<readonly LoggedEntry[]> {
  const sql = `select ${COLUMNS.join(', ')} from audit_entries order by id`;
  for await (const rows of snapshot.pages(sql)) yield rows.map(loggedRow);
}

/** `row` has the values of COLUMNS. */
export function loggedRow(row: readonly unknown[]): LoggedEntry {
  const id = Number(row[ID]);
  const values = row.with(ID, id).with(CREATED_AT, Number(row[CREATED_AT]));
  return {
    id,
    hash: String(row[HASHED]),
    entry: () =>
      undefinedIfThrows(() => entryOfRow(Object.fromEntries(COLUMNS.map((column, at) => [column, values[at]])))),
    hashAfter: (previous, as) =>
      undefinedIfThrows(() => hash('sha256', previous + hashedText(as === id ? values : values.with(ID, as)), 'hex')),
  };
}

function hashedText(values: readonly unknown[]): string {
  let text = '';
  for (let at = 0; at < HASHED; at += 1) {
    const value = values[at];
    if (value === null) continue;
    text += `${text === '' ? '{' : ','}${NAMES[at]}${IS_JSON[at] ? wellFormed(value) : JSON.stringify(value)}`;
  }
  return `${text}}`;
}

/**
 * The stored text, unchanged. A text that is not JSON could contain the text of a second column and so pass for both.
 */
function wellFormed(value: unknown): string {
  const text = String(value);
  JSON.parse(text);
  return text;
}

export async function* storedCheckpoints(snapshot: Snapshot): AsyncGenerator<StoredCheckpoint> {
  const sql = 'select id, hash, root, created_at, signature, frontier from audit_checkpoints order by id';
  for await (const rows of snapshot.pages(sql)) yield* rows.map(checkpointOf);
}

function checkpointOf([id, hash, root, created_at, signature, frontier]: readonly unknown[]): StoredCheckpoint {
  return {
    id: Number(id),
    hash: String(hash),
    root: String(root),
    created_at: Number(created_at),
    signature: String(signature),
    frontier: String(frontier),
  };
}

/** Undefined if `read` throws: the row is not an entry. */
function undefinedIfThrows<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
