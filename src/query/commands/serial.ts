import type { SlicedWork } from '#kernel/sliced-work.ts';
import { about, whole } from '#query/language/option-readers.ts';
import { unordered } from '#query/model/columns.ts';
import type { Block } from '#query/plan-nodes/block.ts';
import { command, type ParsedQuery, subqueryText } from '#query/planning/command.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';

export const serial = command({
  name: 'serial',
  class: 'processing',
  syntax: 'serial [ COMMANDS ]',
  summary: {
    en: 'Runs the commands of the bracket, which have no driver, on the rows in their order.',
    ko: '드라이버가 없는 괄호 안의 명령을 행 순서대로 실행합니다.',
  },
  errors: [90011, 92002],
  examples: [
    {
      tables: { given: [{ a: 1 }, { a: 2 }] },
      query: 'table given | serial [ eval b = a + 1 | search b > 2 ] | parallel core=2 [ eval c = b ]',
      gives: [{ a: 2, b: 3, c: 3 }],
    },
  ],
  read: (words, { steps }) => steps(words.takeBracket()),
  text: subqueryText,
  subqueries: (query) => [query],
  plan: (query, planning) => block(query, planning),
});

export const parallel = command({
  name: 'parallel',
  class: 'processing',
  syntax: 'parallel [core=N] [ COMMANDS ]',
  summary: {
    en: 'Runs the commands of the bracket, which have no driver, on several threads; the order of rows is lost.',
    ko: '드라이버가 없는 괄호 안의 명령을 여러 스레드에서 실행합니다. 행의 순서는 없어집니다.',
  },
  rules: [
    '`core` is the maximum number of threads; without it the service chooses.',
    'The bracket is one command of the status record, with the count of its output rows. Inside of `parallel` rows have no order (90901).',
  ],
  errors: [23500, 90011, 92002],
  examples: [
    {
      tables: { given: [{ a: 1 }, { a: 2 }] },
      query: 'table given | parallel [ eval b = a + 1 | search b > 2 ]',
      gives: [{ a: 2, b: 3 }],
      pushes: [2, 1],
    },
  ],
  options: {
    core: about(whole(1, 23500), {
      en: 'Number of threads; it does not change the result.',
      ko: '스레드 수이며 결과는 바뀌지 않습니다.',
    }),
  },
  read: (words, { steps }) => steps(words.takeBracket()),
  text: subqueryText,
  subqueries: (query) => [query],
  *plan(query, planning) {
    planning.pipeline.input = { ...planning.step(unordered(planning.rows)), kind: 'pass' };
    const made = yield* block(query, planning);
    return { ...made, rows: unordered(made.rows) };
  },
});

function* block(query: ParsedQuery, planning: CommandPlanning<unknown>): SlicedWork<Block> {
  const bracket = yield* planning.context.planSteps(query, planning.pipeline);
  return { ...planning.step(planning.rows), kind: 'block', bracket };
}
