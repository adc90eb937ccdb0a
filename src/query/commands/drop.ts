import { command, noObjects } from '#query/planning/command.ts';
import { noRowsAtBeginning } from './shared/no-driver.ts';

export const drop = command({
  name: 'drop',
  class: 'processing',
  syntax: 'drop',
  summary: {
    en: 'Passes no rows; the columns stay known.',
    ko: '행을 내보내지 않습니다. 컬럼은 그대로 알려져 있습니다.',
  },
  rules: ['As first command of a query, subquery or procedure it is a driver without rows and columns.'],
  errors: [],
  dropsRows: true,
  mayBegin: true,
  examples: [
    { tables: { given: [{ a: 1 }, { a: 2 }] }, query: 'table given | bypass | drop', gives: [], pushes: [2, 2, 0] },
    { tables: { given: [{ a: 1 }] }, query: 'table given | union [ drop ]', gives: [{ a: 1 }], pushes: [1, 1] },
  ],
  ...noObjects,
  plan: (_, planning) => noRowsAtBeginning(planning) ?? { ...planning.step(planning.rows), kind: 'drop' },
});
