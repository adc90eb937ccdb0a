// DuckDB as encrypted tables use it. Its error messages quote names and values, and errors are logged: only the kind of an
// error is passed on. Exhausted memory is an ordinary refusal, because an encrypted table cannot spill to disk.

import { ApiError, noMemoryLeft } from '#contract/errors.ts';
import { failureIn } from '#query/values/failures.ts';
import { isExhausted } from './exhausted.ts';
import type { Instance } from './instance.ts';

/** An error in a statement over encrypted tables, without names and values. */
export function redact(error: unknown, tables: string): Error {
  if (error instanceof ApiError) return error;
  const text = error instanceof Error ? error.message : '';
  if (isExhausted(error)) return noMemoryLeft(tables);
  const kind = /^[A-Za-z]+( [A-Za-z]+)* (Error|Exception)(?=:)/.exec(text)?.[0] ?? 'DuckDB error';
  return failureIn(text) ?? new Error(`${kind} in a statement over the encrypted table ${tables}`);
}

export function redactingInstance(instance: Instance, table: string): Instance {
  return {
    ...instance,
    run: (sql, values) =>
      instance.run(sql, values).catch((error) => {
        throw redact(error, table);
      }),
  };
}
