import { command, noObjects } from '#query/planning/command.ts';
import { noRowsAtBeginning } from './shared/no-driver.ts';

export const bypass = command({
  name: 'bypass',
  class: 'processing',
  syntax: 'bypass',
  summary: { en: 'Passes every row.', ko: '모든 행을 그대로 내보냅니다.' },
  rules: ['As first command of a query, subquery or procedure it is a driver without rows and columns.'],
  errors: [],
  mayBegin: true,
  isEmptyAtBeginning: true,
  examples: [
    {
      tables: { given: [{ a: 1 }, { a: 2 }] },
      query: 'table given | bypass',
      gives: [{ a: 1 }, { a: 2 }],
      pushes: [2, 2],
    },
    { query: 'bypass | search a == 1 | stats count', gives: [{ count: 0 }], pushes: [0, 0, 1], warns: [] },
    {
      query: 'set a = 1 | bypass | json "{}" | eval b = $("a")',
      gives: [{ b: 1 }],
      pushes: [0, 0, 1, 1],
      warns: [],
    },
  ],
  ...noObjects,
  plan: (_, planning) => noRowsAtBeginning(planning) ?? { ...planning.step(planning.rows), kind: 'pass' },
});
