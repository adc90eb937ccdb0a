// The checks of a new or changed object against the state, and what is written when none of them refuses.

import { duplicatedCode, duplicatedGuid, duplicatedName } from '#contract/errors.ts';
import { allEnded } from '#runtime/all-ended.ts';
import type { Value } from '#store/connection.ts';
import { rowWithKey } from '#store/rows/lists.ts';
import { isNameTaken } from '#store/rows/names.ts';
import type { Fields, WriteContext } from './family.ts';
import { columnsOf, type FieldInput } from './records.ts';

/** As the row has them. */
type Columns = Readonly<Record<string, Value>>;

const DUPLICATED = { guid: duplicatedGuid, code: duplicatedCode };

/**
 * Checks the input against the state, in the order of 1.4, and writes. Nothing waits for the answer to a check before it is
 * sent, because all other writers wait meanwhile: what a refused call has written is undone with its unit.
 */
export async function writeChecked(
  given: FieldInput,
  writing: WriteContext,
  fields: Fields,
  write: (columns: Columns) => Promise<void>,
): Promise<void> {
  const { family } = writing;
  family.permit?.(given, writing);
  // The declaration names columns of its table, which hold nothing else.
  const columns = { ...columnsOf(fields, given), ...(await family.columns?.(given, writing)) } as Columns;
  const writeRest = async () => {
    for (const [field, { require }] of Object.entries(fields)) await require?.(given[field], writing);
    await write(columns);
    for (const [name, { keep }] of Object.entries(fields)) await keep?.(given[name], writing);
  };
  // The statements of the checks are sent here, and those of `writeRest` after them.
  const isKeyFree = requireFreeKey(given, writing);
  const isNameFree = requireFreeName(columns, writing);
  // A code is checked before the name, a GUID after it.
  const checked = family.key === 'code' ? [isKeyFree, isNameFree] : [isNameFree, isKeyFree];
  await allEnded([...checked, writeRest()]);
}

/** A key that was made here is nobody's. */
async function requireFreeKey(given: FieldInput, { family, key, before, call }: WriteContext): Promise<void> {
  const column = family.key ?? 'guid';
  if (before || given[column] === undefined) return;
  if (await rowWithKey(call.db, { table: family.table, column, key })) throw DUPLICATED[column](key);
}

async function requireFreeName(columns: Columns, { family, key, before, call }: WriteContext): Promise<void> {
  const name = String(columns.name);
  const within = Object.fromEntries((family.uniqueWithin ?? []).map((column) => [column, columns[column] ?? null]));
  const scope = { within, except: before && key, key: family.key ?? 'guid' };
  if (await isNameTaken(call.db, family.table, name, scope)) throw (family.duplicated ?? duplicatedName)(name);
}
