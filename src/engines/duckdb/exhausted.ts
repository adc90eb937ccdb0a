// How DuckDB, and the files it writes to, say that there is no memory or no room left.

export const isExhausted = (error: unknown): boolean =>
  error instanceof Error && /^Out of Memory Error|No space left on device/i.test(error.message);
