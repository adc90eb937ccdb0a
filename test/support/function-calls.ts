// Calls of every function over the columns of a stored table, for the suites that put each of them below every operator and
// below every function: the engine gives rows or a failure that has a code.

import { Exhausted, LocalBudgetExceeded, type TableSpec } from '#logs/log-store.ts';
import type { ArgumentType, FunctionDeclaration } from '#query/model/function.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { Value } from '#query/model/values.ts';
import { AddressGroup } from '#query/values/addresses/address-group.ts';
import { RunFailure } from '#query/values/failures.ts';
import { record } from '#test/support/engine-conformance/samples.ts';
import type { EngineHome } from '#test/support/engine-conformance/suite.ts';
import { queryOn } from '#test/support/engine-query.ts';
import { CONSTANTS } from '#test/support/expression-constants.ts';
import { GROUP, GROUP_ENTRIES, planned } from '#test/support/expressions.ts';
import { POOL_COLUMNS } from '#test/support/value-pools.ts';

const RECORDS = [
  { b: true, l: 5, d: 2.5, s: 'a,b,c', a: 'text' },
  { b: false, l: -7, d: -0.5, s: '10.0.0.1', a: 9_007_199_254_740_991 },
  { b: true, l: 0, d: 1e300, s: '한글=1 b="c d"', a: [1, [2], null] },
  { l: 1_794_711_600, s: '2026-11-15 12:00:00', a: { k: 'v' } },
  { s: '{"a":[1,2]}', a: true },
  { s: '<e n="1"><x>2</x></e>', a: 0.1 },
  {},
];

/** The columns of POOL_COLUMNS; those that no record has are made of others. */
const SOURCE = [
  'table pool | eval l2 = l + 1, d2 = d / 2, s2 = left(s, 1), t = epoch(l), t2 = dateadd(epoch(l), "day", 1)',
  'eval li = array(l, s, a), m = dict("a", l, "b", s), x = binary(s), a2 = if(b, s, l), a3 = valueof(a, 0)',
].join(' | ');

const KNOWN = {
  groups: new Map([[GROUP, new AddressGroup(GROUP_ENTRIES)]]),
  constants: new Map<string, Value>([['secret_key', '0123456789abcdef']]),
};

export async function openFunctionTable(home: EngineHome): Promise<TableSpec> {
  const table = await home.createTable({ name: 'pool', layout: 'columnar', compression: 'snappy' });
  await home.engine.append(
    table,
    RECORDS.map((fields) => record(JSON.stringify(fields))),
  );
  return table;
}

/** A column of the type that an argument asks for, and a constant of it. */
const FITTING: Readonly<Record<ArgumentType, readonly [column: string, constant: string]>> = {
  any: ['s', '"a"'],
  string: ['s', '","'],
  number: ['l', '2'],
  whole: ['l', '2'],
  date: ['t', 'now()'],
  bool: ['b', 'true'],
  list: ['li', 'array(1, 2)'],
  map: ['m', 'dict("a", 1)'],
  binary: ['x', 'binary("a")'],
};

/** How the arguments of a call are written; the forms that SQL has for a function differ by it. */
interface Written {
  /** With the arguments that may be left out. */
  readonly isWhole: boolean;
  readonly argument: (type: ArgumentType, index: number) => string;
}

const WITH_CONSTANTS: Written = { isWhole: true, argument: (type, index) => FITTING[type][index === 0 ? 0 : 1] };
const WRITTEN: readonly Written[] = [
  { isWhole: false, argument: (type) => FITTING[type][0] },
  WITH_CONSTANTS,
  { isWhole: true, argument: () => 'a' },
];

/** Arguments that must be of one kind to be accepted. */
const OWN: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  foreach: { 0: 'concat(_1, s)' },
  format: { 0: '"%s"' },
  daterange: { 1: 'dateadd(t, "day", 3)' },
};

/** Calls of a function that the language accepts; never none. */
export function callsOf(called: FunctionDeclaration): [string, ...string[]] {
  const calls = WRITTEN.map((written) => callOf(called, argumentsOf(called, written)));
  const [first, ...others] = [...new Set(calls)].filter(isAccepted);
  if (first === undefined) throw new Error(`no call of ${called.name} is accepted`);
  return [first, ...others];
}

/** Calls with `inner` in the place of each argument in turn that need not be a constant. */
export function callsOver(called: FunctionDeclaration, inner: string): string[] {
  const args = argumentsOf(called, WITH_CONSTANTS);
  const calls = args.flatMap((_, index) => (isFree(called, index) ? [callOf(called, args.with(index, inner))] : []));
  return calls.filter(isAccepted);
}

const callOf = ({ name }: FunctionDeclaration, args: readonly string[]) => `${name}(${args.join(', ')})`;

function argumentsOf({ name, args }: FunctionDeclaration, { isWhole, argument }: Written): readonly string[] {
  const written = args.filter(({ optional, rest }) => isWhole || !optional || rest);
  const all = written.length === 1 && written[0]?.rest ? [...written, ...written] : written;
  return all.map(({ type }, index) => OWN[name]?.[index] ?? CONSTANTS[name]?.[index]?.[0] ?? argument(type, index));
}

const isFree = ({ name, args }: FunctionDeclaration, index: number): boolean =>
  !args[index]?.constant && CONSTANTS[name]?.[index] === undefined;

export function isAccepted(text: string): boolean {
  try {
    planned(text, POOL_COLUMNS);
    return true;
  } catch (failure) {
    if (failure instanceof QueryError) return false;
    throw failure;
  }
}

/** Expressions in one statement. */
const BATCH = 48;

/**
 * The expressions over which a query of the engine ends with an error that has no code. `command` makes a command of several
 * expressions; where that fails, each is asked alone.
 */
export async function failingOn(
  home: EngineHome,
  table: TableSpec,
  { texts, command }: { texts: readonly string[]; command: (some: readonly string[]) => string },
): Promise<string[]> {
  const failing: string[] = [];
  const ask = async (some: readonly string[]): Promise<void> => {
    try {
      await queryOn(home.engine, [table], `${SOURCE} | ${command(some)}`, { known: KNOWN });
    } catch (error) {
      if (some.length > 1) {
        await ask(some.slice(0, some.length / 2));
        await ask(some.slice(some.length / 2));
      } else if (!hasCode(error)) {
        failing.push(`${command(some)}: ${error}`);
      }
    }
  };
  for (let from = 0; from < texts.length; from += BATCH) await ask(texts.slice(from, from + BATCH));
  return failing;
}

/** Failures for which the service has a code, or begins the query anew in threads. */
const hasCode = (error: unknown): boolean =>
  [QueryError, RunFailure, Exhausted, LocalBudgetExceeded].some((kind) => error instanceof kind);

export const evalOf = (texts: readonly string[]): string =>
  `eval ${texts.map((text, index) => `r${index} = ${text}`).join(', ')}`;
