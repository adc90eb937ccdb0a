import { QueryError } from '#query/model/query-error.ts';
import { zoneNamed } from '#query/model/zones.ts';
import { command } from '#query/planning/command.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';
import { type Assignment, assignmentsText, takeAssignments } from './shared/assignments.ts';

export const set = command({
  name: 'set',
  class: 'processing',
  syntax: 'set NAME = EXPR, ...',
  summary: {
    en: 'Sets parameters once, from left to right over the whole text, before any row is processed.',
    ko: '행을 처리하기 전에 왼쪽부터 한 번 매개변수를 설정합니다.',
  },
  rules: [
    'The expressions may contain only constants, functions of constants and `$()`. Rows pass unchanged.',
    '`set _timezone = "Asia/Seoul"` sets the zone of the whole query: a name of the zone database, `UTC`, `GMT`, `Z`, or a fixed offset such as `UTC+9`, `GMT+08`, `+0900` (90308). Other names with `_` belong to the service.',
    '`_timezone` and `_live` may be set; `_from` and `_to` come from the caller.',
  ],
  errors: [20200, 20201, 90308, 90401, 90402],
  examples: [
    {
      tables: { given: [{ n: 1 }, { n: 4 }] },
      query: 'set lo = 1 + 1, hi = $("lo") * 3 | table given | search n > $("lo") and n < $("hi")',
      normalized: 'set lo = 1 + 1, hi = $("lo") * 3 | table given | search (n > $("lo")) and (n < $("hi"))',
      gives: [{ n: 4 }],
      pushes: [0, 2, 1],
    },
  ],
  hasAssignments: true,
  mayPrecedeDriver: true,
  *read(words) {
    const assignments = yield* takeAssignments(words);
    for (const assignment of assignments) checkName(assignment);
    return assignments;
  },
  text: assignmentsText,
  zone(assignments) {
    const value = assignments.find(({ name }) => name.text === '_timezone')?.value;
    return value?.kind === 'literal' ? zoneNamed(String(value.value)) : undefined;
  },
  *plan(assignments, planning) {
    for (const { name, value } of assignments) {
      const resolved = yield* planning.constant(value);
      const known = resolved.kind === 'literal' ? resolved.value : undefined;
      planning.constants.set(name.text, resolved.type, known);
      planning.pipeline.steps.push({ kind: 'set', name: name.text, value: resolved });
      yield;
    }
    return passedOn(planning);
  },
});

/** Rows pass through; before the driver there are none. */
export function passedOn(planning: CommandPlanning<unknown>) {
  const { input } = planning.pipeline;
  if (!input) return { ...planning.planNode({ columns: [] }), kind: 'preamble' as const };
  return { ...planning.step(input.rows), kind: 'pass' as const };
}

/**
 * Names with `_` belong to the service: `_timezone` takes a string constant, `_live` a boolean, all others are
 * rejected.
 */
function checkName({ name, value }: Assignment): void {
  if (!name.text.startsWith('_')) return;
  const constant = value.kind === 'literal' ? value.value : undefined;
  if (name.text === '_timezone' && typeof constant === 'string') {
    if (!zoneNamed(constant)) throw new QueryError(90308, value, { name: constant });
    return;
  }
  if (name.text === '_live' && typeof constant === 'boolean') return;
  throw new QueryError(90402, name, { name: name.text });
}
