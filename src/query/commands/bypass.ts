import { command, noObjects } from '#query/planning/command.ts';

export const bypass = command({
  name: 'bypass',
  class: 'processing',
  syntax: 'bypass',
  summary: { en: 'Passes every row.', ko: '모든 행을 그대로 내보냅니다.' },
  errors: [],
  examples: [
    {
      tables: { given: [{ a: 1 }, { a: 2 }] },
      query: 'table given | bypass',
      gives: [{ a: 1 }, { a: 2 }],
      pushes: [2, 2],
    },
  ],
  ...noObjects,
  plan: (_, planning) => ({ ...planning.step(planning.rows), kind: 'pass' }),
});
