// DuckDB as encrypted tables use it. Its complaints quote what they stumble over, names and values alike, and complaints
// are logged: here nothing of them goes on but their kind. What does not fit into memory has nowhere else to go, and is
// an ordinary refusal.

import { ApiError, noMemoryLeft } from '#contract/errors.ts';
import { failureIn } from '#query/values/failures.ts';
import { isExhausted } from './exhausted.ts';
import type { Instance } from './instance.ts';

/** What may be told of an error in a statement over encrypted tables. */
export function discreet(error: unknown, tables: string): Error {
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
        throw discreet(error, table);
      }),
  };
}
