// Fields of loggers and tables from which records may be expected.

import { notFound } from '#contract/errors.ts';
import { int } from '#operations/params/params.ts';
import type { Db } from '#store/kysely.ts';
import { exists } from '#store/rows/resolve.ts';

/** Seconds up to a year; 0 expects nothing. */
export const expectEvery = int(0n, 31_536_000n);

export async function requireAlarmGroup(db: Db, guid: string | undefined): Promise<void> {
  if (guid !== undefined && !(await exists(db, 'alarm group', guid))) throw notFound('alarm group', guid);
}
