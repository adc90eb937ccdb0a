// field(): a field whose name is computed. A name that is known when a query is planned becomes a plain read of the field; for
// any other the call reads all fields of the row.

import type { Rows } from '#query/model/columns.ts';
import type { Call, Expression } from '#query/model/expression.ts';
import type { FunctionDeclaration } from '#query/model/function.ts';
import type { Value } from '#query/model/values.ts';
import { literal } from '#query/values/typing.ts';
import { s, several, x } from './arguments.ts';

/**
 * The expanded form of field(); its arguments are the name, the names of known fields, names to exclude from the overflow, the
 * overflow as a map, and the values of the known fields.
 */
export const fieldOfRow: FunctionDeclaration = {
  name: 'field',
  group: 'conditions',
  syntax: '',
  summary: { en: '', ko: '이름으로 지정한 필드의 값입니다.' },
  args: [s, x, x, x, several(x)],
  result: 'any',
  nulls: 'own',
  local: ([name = null, names = null, gone = null, rest = null, ...values]) => {
    if (typeof name !== 'string') return null;
    const index = indexesIn(names).get(name);
    if (index !== undefined) return values[index] ?? null;
    return rest instanceof Map && !indexesIn(gone).has(name) ? (rest.get(name) ?? null) : null;
  },
  examples: [],
};

/** The lists are constants of a plan, and looked at for every row. */
const indexes = new WeakMap<object, ReadonlyMap<Value, number>>();

function indexesIn(names: Value): ReadonlyMap<Value, number> {
  if (!Array.isArray(names)) return new Map();
  const known = indexes.get(names) ?? new Map(names.map((name: Value, index) => [name, index]));
  indexes.set(names, known);
  return known;
}

export const rowFields: readonly FunctionDeclaration[] = [
  {
    name: 'field',
    group: 'conditions',
    syntax: 'field(s)',
    summary: {
      en: 'The field of that name. A name that is constant is resolved when the query is planned; any other is computed for each row, and null where the row has no such field. A value that is not a text counts as `string()` writes it. Elements of `foreach` are no fields.',
      ko: '이름으로 지정한 필드의 값입니다.',
    },
    args: [s],
    result: 'any',
    nulls: 'own',
    expanded: overRow,
    examples: [
      { text: 'field("no such")', gives: null },
      { text: 'field(null)', gives: null },
    ],
  },
];

function overRow({ args: [name], begin, end }: Call, { columns, overflow }: Rows): Call {
  const span = { begin, end };
  const fields = columns.map(
    (column): Expression => ({
      kind: 'field',
      name: column.name,
      type: column.type,
      ...span,
      source: { kind: 'column', id: column.id },
    }),
  );
  const rest: Expression = overflow
    ? { kind: 'field', name: '', type: 'map', source: { kind: 'rest', id: overflow.id }, ...span }
    : literal(null, span);
  const lists = [columns.map((column) => column.name), [...(overflow?.without ?? [])]].map((list) =>
    literal(list, span),
  );
  const all = [name ?? literal(null, span), ...lists, rest, ...fields];
  return { kind: 'call', called: fieldOfRow, args: all, type: 'any', ...span };
}
