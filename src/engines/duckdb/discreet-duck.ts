// DuckDB as encrypted tables use it. Its complaints quote what they stumble over, names and values alike, and complaints
// are logged: here nothing of them goes on but their kind. What does not fit into memory has nowhere else to go, and is
// an ordinary refusal.

import { noMemoryLeft } from '#contract/errors.ts';
import type { Duck } from './instance.ts';

export function discreetDuck(duck: Duck, table: string): Duck {
  const discreet = (error: unknown): Error => {
    const text = error instanceof Error ? error.message : '';
    const isFull = text.startsWith('Out of Memory Error') || text.includes('No space left on device');
    if (isFull) return noMemoryLeft(table);
    const kind = /^[A-Za-z]+( [A-Za-z]+)* (Error|Exception)(?=:)/.exec(text)?.[0] ?? 'DuckDB error';
    return new Error(`${kind} in a statement over the encrypted table ${table}`);
  };

  return {
    run: (sql, values) =>
      duck.run(sql, values).catch((error) => {
        throw discreet(error);
      }),
    async *stream(select) {
      try {
        yield* duck.stream(select);
      } catch (error) {
        throw discreet(error);
      }
    },
    close: () => duck.close(),
  };
}
