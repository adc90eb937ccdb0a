import { mapSliced, type SlicedWork } from '#kernel/sliced-work.ts';
import { fieldsText } from '#query/language/expressions/expression-text.ts';
import { about, oneOf, orElse } from '#query/language/option-readers.ts';
import type { Name, Words } from '#query/language/words.ts';
import { unordered } from '#query/model/columns.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { JoinType } from '#query/plan-nodes/join.ts';
import { command, type ParsedQuery, subqueryText } from '#query/planning/command.ts';
import { mergedRows } from './shared/merging.ts';

const TYPES: readonly JoinType[] = ['inner', 'left', 'right', 'full', 'leftonly', 'rightonly', 'cross'];

interface JoinBody {
  readonly names: readonly Name[];
  readonly query: ParsedQuery;
}

export const join = command({
  name: 'join',
  class: 'transforming',
  syntax: 'join [type=inner] keys [ QUERY ]',
  summary: {
    en: 'Joins rows with the rows of a subquery that have equal keys. The subquery runs first.',
    ko: '키가 같은 서브쿼리의 행과 합칩니다. 서브쿼리를 먼저 실행합니다.',
  },
  rules: [
    '`inner` keeps matches; `left` and `full` also keep left rows without a match, `right` and `full` also right rows; `leftonly` and `rightonly` keep only rows without a match, with the columns of their side; `cross` takes no names and outputs all pairs.',
    'Null matches nothing; several matches give several rows. On a match the value of the right side wins, null included. The order of rows is lost.',
    'A key in the overflow of the right side wins only where the row has it. A sign before a key has no effect.',
  ],
  errors: [22500, 22501, 22502, 90011],
  examples: [
    {
      tables: {
        given: [{ u: 'a', x: 1 }, { u: 'b', x: 2 }, { x: 3 }],
        r: [
          { u: 'a', x: 10, d: 's' },
          { u: 'c', d: 't' },
        ],
      },
      query: 'table given | join type=full u [ table r | search u ]',
      gives: [{ u: 'a', x: 10, d: 's' }, { u: 'b', x: 2 }, { x: 3 }, { u: 'c', d: 't' }],
      columns: ['u', 'x', 'd'],
    },
    {
      tables: { given: [{ u: 'a' }, { u: 'b' }, { x: 3 }], r: [{ u: 'a' }] },
      query: 'table given | join type=leftonly +u [ table r ]',
      normalized: 'table given | join type=leftonly u [ table r ]',
      gives: [{ u: 'b' }, { x: 3 }],
    },
  ],
  options: {
    type: about(orElse<JoinType>('inner', oneOf(TYPES, 22500)), {
      en: 'Which rows of both sides are kept.',
      ko: '양쪽에서 남길 행의 종류입니다.',
    }),
  },
  *read(words, { options, subquery, nameSpan }): SlicedWork<JoinBody> {
    const type = options.type && 'value' in options.type ? options.type.value : undefined;
    const names = words.isDone || words.here === '[' ? [] : yield* takeKeyNames(words);
    const [first] = names;
    if (type === 'cross' && first) throw new QueryError(22502, first);
    const mayLackKeys = type === 'cross' || (options.type && type === undefined);
    if (!first && !mayLackKeys && words.here === '[') throw new QueryError(22501, nameSpan);
    return { names, query: yield* subquery(words.takeBracket()) };
  },
  text: ({ names, query }) => `${names.length > 0 ? `${fieldsText(names, [])} ` : ''}${subqueryText(query)}`,
  subqueries: ({ query }) => [query],
  *plan({ names, query }, planning) {
    const { type = 'inner' } = planning.options;
    const [first] = names;
    if (type === 'cross' && first) throw new QueryError(22502, first);
    if (type !== 'cross' && !first) throw new QueryError(22501, planning.span);
    const keysOnLeft = yield* mapSliced(names, (name) => planning.field(name));
    const right = yield* planning.context.planSubquery(query, planning.constants.copy(), 'subquery');
    const keys = yield* mapSliced(names.entries(), ([index, name]) => ({
      name: name.text,
      left: keysOnLeft[index] ?? planning.quietField(name.text),
      right: planning.field(name, right.result.rows),
    }));
    const isRightAlways = type === 'inner' || type === 'cross';
    const typeOf = isRightAlways
      ? { typeOf: (_: unknown, of: (typeof right.result.rows.columns)[number]['type']) => of }
      : {};
    const { rows, ...sides } = mergedRows(planning.rows, right.result.rows, { planning, ...typeOf });
    const alone = type === 'leftonly' ? planning.rows : type === 'rightonly' ? right.result.rows : undefined;
    const base = planning.step(alone ? unordered(alone) : rows);
    return { ...base, kind: 'join', type, right, keys, ...(alone ? { merged: [] } : sides) };
  },
});

function* takeKeyNames(words: Words): SlicedWork<Name[]> {
  const keys = yield* words.takeKeys([], () => words.unexpected());
  return keys.map(({ name }) => name);
}
