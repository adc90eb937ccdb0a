// The disk of the metadata store is full, as each of its parts says it.

const FILE_CODES = ['ENOSPC', 'EDQUOT', 'EFBIG'];
/** SQLite: full, and the write error that a limit on files gives. */
const SQLITE_CODES = [13, 778];
const POSTGRES_CODE = '53100';

export function isOutOfSpace(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as Error & { code?: unknown; errcode?: unknown };
  return FILE_CODES.includes(String(code)) || code === POSTGRES_CODE || SQLITE_CODES.includes(Number(errcode));
}
