// Errors of a full disk, from the file system and from both databases.

const FILE_CODES = ['ENOSPC', 'EDQUOT', 'EFBIG'];
/** SQLITE_FULL, and SQLITE_IOERR_WRITE, which a limit on file sizes causes. */
const SQLITE_CODES = [13, 778];
const POSTGRES_CODE = '53100';

export function isOutOfSpace(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as Error & { code?: unknown; errcode?: unknown };
  return FILE_CODES.includes(String(code)) || code === POSTGRES_CODE || SQLITE_CODES.includes(Number(errcode));
}
