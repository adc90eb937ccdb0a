import { mapSliced } from '#kernel/sliced-work.ts';
import { fieldText } from '#query/language/expressions/expression-text.ts';
import type { Name, Words } from '#query/language/words.ts';
import type { Column } from '#query/model/columns.ts';
import { fieldIn, isClosed, isColumn, isKnownName, withoutKeys } from '#query/model/columns.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { Assigned } from '#query/plan-nodes/plan-node.ts';
import { command } from '#query/planning/command.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';

const KEYWORDS = ['as'];

interface Renaming {
  readonly from: Name;
  readonly to: Name;
}

export const rename = command({
  name: 'rename',
  class: 'processing',
  syntax: 'rename F as F, ...',
  summary: {
    en: 'Renames columns, in order; each keeps its position.',
    ko: '컬럼 이름을 차례로 바꿉니다. 컬럼의 자리는 그대로입니다.',
  },
  rules: [
    'A column that already has the new name is dropped. A pair whose target stands in an earlier pair is ignored, with the warning 20301.',
    'A source that does not exist is ignored if all columns are known; otherwise it is a field of the overflow.',
  ],
  errors: [20300],
  examples: [
    {
      tables: { given: [{ a: 1, b: 2, c: 3 }] },
      query: 'table given | rename a as c, zz as y',
      gives: [{ c: 1, b: 2 }],
      columns: ['c', 'b'],
    },
  ],
  *read(words) {
    const renamings = yield* words.takeList(() => takeRenaming(words));
    return yield* words.distinct(renamings, ({ to }) => to, 20301);
  },
  text: (renamings) =>
    renamings.map(({ from, to }) => `${fieldText(from.text, KEYWORDS)} as ${fieldText(to.text, KEYWORDS)}`).join(', '),
  *plan(renamings, planning) {
    const { rows } = planning;
    const columns: (Column | undefined)[] = [...rows.columns];
    const indexes = new Map(rows.columns.map(({ name }, index) => [name, index]));
    const work: Work = { planning, assigned: [], columns, indexes, gone: new Set() };
    yield* mapSliced(renamings, (renaming) => renamed(renaming, work));
    const left = columns.filter((column) => column !== undefined);
    const made = { ...rows, columns: left, ...withoutKeys(rows, [...work.gone]) };
    return { ...planning.step(made), kind: 'project', assigned: work.assigned };
  },
});

function takeRenaming(words: Words): Renaming {
  const from = words.takeName(KEYWORDS, () => words.tooFew({ term: 'field' }));
  if (!words.takeKeyword('as')) throw new QueryError(20300, words.isDone ? words.endSpan : words.token());
  return { from, to: words.takeName(KEYWORDS, () => words.tooFew({ term: 'field' })) };
}

interface Work {
  readonly planning: CommandPlanning<unknown>;
  readonly assigned: Assigned[];
  /** The columns after the renaming; undefined if another column has taken the name. */
  readonly columns: (Column | undefined)[];
  readonly indexes: Map<string, number>;
  /** Names that are no longer keys of the overflow. */
  readonly gone: Set<string>;
}

/** Applies one renaming after the other in place: a command may have thousands, and copying would be quadratic. */
function renamed({ from, to }: Renaming, work: Work): void {
  if (from.text === to.text) return;
  const { columns, indexes } = work;
  const index = indexes.get(from.text);
  const column = index === undefined ? takenFromOverflow({ from, to }, work) : columns[index];
  if (!column) return;
  const replaced = indexes.get(to.text);
  const target = index ?? replaced ?? columns.length;
  if (replaced !== undefined) columns[replaced] = undefined;
  columns[target] = { ...column, name: to.text };
  indexes.delete(from.text);
  indexes.set(to.text, target);
  work.gone.add(from.text);
}

function warnUnknown({ text: name, begin, end, isQuoted }: Name, planning: CommandPlanning<unknown>): void {
  if (!isQuoted && !isKnownName(planning.rows, name)) planning.warnUnknown({ name, begin, end }, planning.rows);
  planning.pipeline.warnRenamed({ name, begin, end }, planning.rows);
}

/** A name without a column is a key of the overflow; if all columns are known it is ignored with a warning (90902). */
function takenFromOverflow({ from, to }: Renaming, { planning, assigned, gone }: Work): Column | undefined {
  const { rows } = planning;
  if (isClosed(rows) && (gone.has(from.text) || !isColumn(rows, from.text))) {
    warnUnknown(from, planning);
    return undefined;
  }
  warnUnknown(from, planning);
  const value = fieldIn({ ...rows, columns: [] }, from.text, from);
  const isGone = gone.has(from.text);
  const column = planning.newColumn(to.text, isGone ? 'null' : value.type);
  assigned.push({ column, value: isGone ? { ...value, type: 'null', source: { kind: 'absent' } } : value });
  return column;
}
