// DuckDB checks for an interrupt between vectors of rows, not inside of one. A statement whose rows may take long
// therefore asks the local evaluator whether its run was stopped.

import type { DuckDBConnection } from '@duckdb/node-api';
import type { RunFacts } from '#query/model/run-facts.ts';
import { objectOf, tokenOf } from './tokens.ts';

/** The stop signal of one run. */
class StopCheck {
  signal: AbortSignal | undefined;
}

const checks = new WeakMap<RunFacts, StopCheck>();

export function stopCheckOf(run: RunFacts): StopCheck {
  const check = checks.get(run) ?? new StopCheck();
  checks.set(run, check);
  return check;
}

/** The token with which a statement of this run asks. */
export const stopToken = (run: RunFacts): string => tokenOf(stopCheckOf(run), run);

/** Registers `vigil_stopped(token, position)`, which is false or makes the statement fail. Call once per instance. */
export function registerStopCheck(duckdb: typeof import('@duckdb/node-api'), connection: DuckDBConnection): void {
  connection.registerScalarFunction(
    duckdb.DuckDBScalarFunction.create({
      name: 'vigil_stopped',
      parameterTypes: [duckdb.VARCHAR, duckdb.BIGINT],
      returnType: duckdb.BOOLEAN,
      mainFunction: (_, input, output) => {
        const token = String(input.getColumnVector(0).getItem(0));
        if (objectOf(token, StopCheck).signal?.aborted) throw new Error('the query was stopped');
        for (let row = 0; row < input.rowCount; row += 1) output.setItem(row, false);
        output.flush();
      },
    }),
  );
}
