// The function through which DuckDB calls back into the local evaluator (15.10): `vigil_local(name, zone, arguments)`, with
// arguments and result as JSON of type any. Each call of 2,048 rows is a round trip to the main thread, so only
// operations that SQL cannot express and rare values of mixed columns use it.

import type { DuckDBConnection, DuckDBDataChunk, DuckDBVector } from '@duckdb/node-api';
import { functions } from '#query/functions/index.ts';
import type { FunctionDeclaration } from '#query/model/function.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import type { Value } from '#query/model/values.ts';
import { taggedJson, taggedValue } from '#query/rows/tagged-json.ts';
import { AddressGroup } from '#query/values/addresses/address-group.ts';
import { converterTo } from '#query/values/conversions.ts';
import { compareForLess, equals } from '#query/values/equality.ts';
import { compareValues, distinct } from '#query/values/order.ts';
import { orderKey } from '#query/values/order-key.ts';
import { budgetCheck, LocalCallBudget } from './local-call-budget.ts';
import { LocalExpression } from './local-expression.ts';
import { registerStopCheck } from './stop-check.ts';
import { objectOf } from './tokens.ts';

type LocalCall = (args: readonly Value[], zone: string) => Value;

const callOf = (declared: FunctionDeclaration): LocalCall | undefined => {
  const { local, nulls, args: declaredArgs } = declared;
  if (!local) return undefined;
  const converters = declaredArgs.map(({ type }) => converterTo(type));
  return (given, zone) => {
    const args = given.map((value, index) => converters[Math.min(index, converters.length - 1)]?.(value, zone) ?? null);
    return nulls === 'null' && args.includes(null) ? null : local(args, factsOf(zone));
  };
};

/** Calls with constant arguments are folded before the statement is compiled, so only the zone is needed here. */
const factsOf = (zone: string): RunFacts => ({
  zone,
  now: Temporal.Instant.fromEpochMilliseconds(0),
  user: '',
  groups: new Map(),
  nextRow: () => 0n,
});

/** Local calls of the SQL macros and aggregates that are no functions of the language. */
const OWN: Readonly<Record<string, LocalCall>> = {
  '==': ([left = null, right = null], zone) => equals(left, right, zone),
  '<': ([left = null, right = null], zone) => {
    const order = compareForLess(left, right, zone);
    return order === null ? null : BigInt(Math.sign(order));
  },
  key: ([value = null], zone) => orderKey(value, zone),
  values: ([list = null], zone) => (Array.isArray(list) ? sortedDistinct(list, zone) : null),
  group: ([token, text = null]) => typeof text === 'string' && objectOf(`${token}`, AddressGroup).has(text),
  port: ([token, port = null, protocol = null]) =>
    typeof port === 'bigint' &&
    typeof protocol === 'string' &&
    objectOf(`${token}`, AddressGroup).ports.has(port, protocol),
  expression: ([token, ...fields]) => objectOf(`${token}`, LocalExpression).evaluate(fields),
};

const sortedDistinct = (list: readonly Value[], zone: string): Value[] =>
  distinct(list, zone).sort((left, right) => compareValues(left, right, zone));

const calls = new Map<string, LocalCall>([
  ...functions.flatMap((declared) => {
    const call = callOf(declared);
    return call ? [[declared.name, call] as const] : [];
  }),
  ...Object.entries(OWN),
]);

/** Call once per instance: functions are visible to all its connections. */
export function registerLocalFunction(duckdb: typeof import('@duckdb/node-api'), connection: DuckDBConnection): void {
  connection.registerScalarFunction(
    duckdb.DuckDBScalarFunction.create({
      name: 'vigil_local',
      parameterTypes: [duckdb.VARCHAR, duckdb.VARCHAR, duckdb.VARCHAR],
      returnType: duckdb.VARCHAR,
      mainFunction: (_, input, output) => answer(input, output),
    }),
  );
  registerStopCheck(duckdb, connection);
}

function localCallBudgetIn(called: string): LocalCallBudget | undefined {
  const [, token] = called.split(' ', 2);
  return token === undefined ? undefined : objectOf(token, LocalCallBudget);
}

function answer(input: DuckDBDataChunk, output: DuckDBVector): void {
  const [names, zones, args] = [0, 1, 2].map((column) => input.getColumnVector(column));
  const checkBudget = budgetCheck(localCallBudgetIn(String(names?.getItem(0))));
  for (let row = 0; row < input.rowCount; row += 1) {
    const text = String(args?.getItem(row));
    checkBudget(text);
    // The name of a macro stands alone; other names are followed by the token of the local call budget of their run.
    const [name = ''] = String(names?.getItem(row)).split(' ', 1);
    const call = calls.get(name);
    const given = taggedValue(text);
    const value = call && Array.isArray(given) ? call(given, String(zones?.getItem(row))) : null;
    output.setItem(row, value === null ? null : taggedJson(value));
  }
  output.flush();
}
