import { command, noObjects } from '#query/planning/command.ts';

export const drop = command({
  name: 'drop',
  class: 'processing',
  syntax: 'drop',
  summary: {
    en: 'Passes no rows; the columns stay known.',
    ko: '행을 내보내지 않습니다. 컬럼은 그대로 알려져 있습니다.',
  },
  errors: [],
  dropsRows: true,
  examples: [
    { tables: { given: [{ a: 1 }, { a: 2 }] }, query: 'table given | bypass | drop', gives: [], pushes: [2, 2, 0] },
  ],
  ...noObjects,
  plan: (_, planning) => ({ ...planning.step(planning.rows), kind: 'drop' }),
});
