import type { RowParameter } from '#query/model/columns.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { Assigned } from '#query/plan-nodes/plan-node.ts';
import { command } from '#query/planning/command.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';
import { warnOrderedFunctions } from '#query/planning/order-warnings.ts';
import { type Assignment, assignmentsText, takeAssignments } from './shared/assignments.ts';

export const evalc = command({
  name: 'evalc',
  class: 'processing',
  syntax: 'evalc NAME = EXPR, ...',
  summary: {
    en: 'Sets parameters for each row in order; later commands of the pipeline read them with `$()` for that row.',
    ko: '행마다 차례로 매개변수를 설정합니다. 뒤의 명령이 `$()`로 읽습니다.',
  },
  rules: [
    'A parameter keeps its value from row to row; before the first row it has the value of `set`.',
    'Subqueries do not see the parameters of rows. After commands that make new rows, such as `stats` or `join`, and in options, `$()` reads the value of `set`.',
    '`sort`, `limit`, `dedup`, `eventstats` and brackets keep the parameters of a row. Before the first row a parameter without a value is null (90400): `$("t", 0)` counts from 0. Two `evalc` with the same name set one parameter, unless a command between them processes several rows at once.',
  ],
  errors: [20200, 20201, 90402],
  examples: [
    {
      tables: { given: [{ n: 1 }, { n: 2 }, { n: 4 }] },
      query: 'set t = 0 | table given | evalc t = $("t") + n | eval sum = $("t")',
      gives: [
        { n: 1, sum: 1 },
        { n: 2, sum: 3 },
        { n: 4, sum: 7 },
      ],
    },
  ],
  hasAssignments: true,
  *read(words) {
    const assignments = yield* takeAssignments(words);
    const own = assignments.find(({ name }) => name.text.startsWith('_'));
    if (own) throw new QueryError(90402, own.name, { name: own.name.text });
    return assignments;
  },
  text: assignmentsText,
  *plan(assignments, planning) {
    const { rows } = planning;
    const before = initialParameters(assignments, planning);
    let parameters: readonly RowParameter[] = [...(rows.parameters ?? []), ...before.map(({ column }) => column)];
    const assigned: Assigned[] = [];
    for (const { name, value } of assignments) {
      const column = planning.newColumn(name.text, 'any');
      assigned.push({ column, value: yield* planning.expression(value, { ...rows, parameters }) });
      parameters = [...parameters.filter((one) => one.name !== name.text), column];
    }
    planning.warnUnordered();
    warnOrderedFunctions(
      assigned.map(({ value }) => value),
      planning,
    );
    const sequence = planning.hiddenColumn();
    const { order: _, ...unordered } = rows;
    const order = rows.order ? { order: [{ column: sequence, descending: false }] } : {};
    return {
      ...planning.step({ ...unordered, parameters, ...order }),
      kind: 'evalc',
      before,
      assigned,
      sequence,
    };
  },
});

/** Parameters that need a value before the first row; those of an earlier evalc already have one. */
function initialParameters(assignments: readonly Assignment[], planning: CommandPlanning<unknown>) {
  const { rows, constants, span } = planning;
  const names = new Set(assignments.map(({ name }) => name.text));
  for (const { name } of rows.parameters ?? []) names.delete(name);
  return [...names].map((name) => {
    const isSet = constants.isSet(name);
    const read = { kind: 'parameter', type: 'any', name, ...span } as const;
    // A plan that is made before the parameter has a value is never run.
    const initial = isSet ? (constants.valueOf(read) ?? null) : null;
    const column: RowParameter = { ...planning.newColumn(name, 'any'), ...(isSet ? {} : { mayBeUnset: true }) };
    return { column, initial };
  });
}
