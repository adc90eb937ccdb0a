// DuckDB looks at an interrupt between vectors of rows, not inside of one. Where one row may take long, the statement itself
// asks the host whether its run was stopped.

import type { DuckDBConnection } from '@duckdb/node-api';
import type { RunFacts } from '#query/model/run-facts.ts';
import { thingOf, tokenOf } from './tokens.ts';

/** Of one run. */
export class StopCheck {
  signal: AbortSignal | undefined;
}

const checks = new WeakMap<RunFacts, StopCheck>();

export function stopCheckOf(run: RunFacts): StopCheck {
  const check = checks.get(run) ?? new StopCheck();
  checks.set(run, check);
  return check;
}

/** For a statement of this run to ask with. */
export const stopToken = (run: RunFacts): string => tokenOf(stopCheckOf(run), run);

/** `vigil_stopped(token, position)`: false, or the statement fails. To be called once per instance. */
export function registerStopCheck(duckdb: typeof import('@duckdb/node-api'), connection: DuckDBConnection): void {
  connection.registerScalarFunction(
    duckdb.DuckDBScalarFunction.create({
      name: 'vigil_stopped',
      parameterTypes: [duckdb.VARCHAR, duckdb.BIGINT],
      returnType: duckdb.BOOLEAN,
      mainFunction: (_, input, output) => {
        const token = String(input.getColumnVector(0).getItem(0));
        if (thingOf(token, StopCheck).signal?.aborted) throw new Error('the query was stopped');
        for (let row = 0; row < input.rowCount; row += 1) output.setItem(row, false);
        output.flush();
      },
    }),
  );
}
