import { aggregateNamed, functionNamed } from '#query/functions/index.ts';
import { QUARTILES } from '#query/functions/statistics.ts';
import { takeExpression } from '#query/language/expressions/expression-parser.ts';
import { expressionText } from '#query/language/expressions/expression-text.ts';
import { about, numberAbove, oneOf, orElse } from '#query/language/option-readers.ts';
import { type Rows, withColumns } from '#query/model/columns.ts';
import type { Expression, FieldRead } from '#query/model/expression.ts';
import type { AggregateDeclaration } from '#query/model/function.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { Assigned } from '#query/plan-nodes/plan-node.ts';
import { command } from '#query/planning/command.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';
import { arithmetic, call, comparison, literal, logic } from '#query/values/typing.ts';
import { AGGREGATE_KEYWORDS } from './shared/aggregate-list.ts';
import { groupKeys } from './shared/grouping.ts';
import { byText, numberOf, takeBy } from './shared/statistics.ts';

const THRESHOLDS = { iqr: 1.5, zscore: 3, mad: 3.5 } as const;
/** The median of the distances from the median is so much of a standard deviation. */
const MAD_SHARE = 0.6745;

export const outlier = command({
  name: 'outlier',
  class: 'transforming',
  syntax: 'outlier [method=iqr] [threshold=X] EXPR [by names]',
  summary: {
    en: 'Keeps every row, in its order, and adds `_outlier` and `_score`: how far its number is from the others of its group.',
    ko: '모든 행을 순서대로 두고, 그룹의 다른 수와 얼마나 먼지를 `_outlier`와 `_score`로 더합니다.',
  },
  rules: [
    '`iqr` (threshold 1.5): the score is the distance from the quartiles by the distance between them, 0 between them. `zscore` (3): the distance from the mean by the standard deviation of the population. `mad` (3.5): 0.6745 times the distance from the median by the median of these distances; where that is 0 every other value is an outlier.',
    'A score beyond the threshold makes an outlier. Both are null where the value is no number; a score that would divide by 0 is 0 where its dividend is 0, else null.',
  ],
  errors: [22003],
  examples: [
    {
      tables: { given: [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }, { n: 100 }, { n: 'x' }] },
      query: 'table given | outlier n | search _outlier | fields n, _score',
      gives: [{ n: 100, _score: 48 }],
      pushes: [6, 6, 1, 1],
    },
    {
      tables: {
        given: [
          { g: 'a', n: 2 },
          { g: 'a', n: '4' },
          { g: 'b', n: 5 },
          { g: 'b', n: 5 },
          { g: 'c', n: 'x' },
        ],
      },
      query: 'table given | outlier method=zscore threshold=0.5 n by g | fields g, _outlier, _score',
      gives: [
        { g: 'a', _outlier: true, _score: -1 },
        { g: 'a', _outlier: true, _score: 1 },
        { g: 'b', _outlier: false, _score: 0 },
        { g: 'b', _outlier: false, _score: 0 },
        { g: 'c' },
      ],
      pushes: [5, 5, 5],
    },
    {
      tables: { given: [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }, { n: 50 }] },
      query: 'table given | outlier method=mad n | fields n, _outlier, _score',
      gives: [
        { n: 1, _outlier: false, _score: -1.349 },
        { n: 2, _outlier: false, _score: -0.6745 },
        { n: 3, _outlier: false, _score: 0 },
        { n: 4, _outlier: false, _score: 0.6745 },
        { n: 50, _outlier: true, _score: 31.7015 },
      ],
    },
    {
      tables: { given: [{ n: 7 }, { n: 7 }, { n: 7 }, { n: 7 }, { n: 8 }] },
      query: 'table given | outlier method=mad n | fields n, _outlier, _score | limit 3 2',
      gives: [
        { n: 7, _outlier: false, _score: 0 },
        { n: 8, _outlier: true },
      ],
    },
    { query: 'json "{n: 1}" | outlier threshold=3 n | fields _score', gives: [{ _score: 0 }] },
    { query: 'json "{n: 1}" | outlier threshold=0 n', refused: { code: 90008, begin: 34, end: 35 } },
  ],
  options: {
    method: about(orElse('iqr', oneOf(['iqr', 'zscore', 'mad'])), {
      en: 'How far a value is from the others.',
      ko: '값이 다른 값에서 얼마나 먼지 재는 방법입니다.',
    }),
    threshold: about(numberAbove(0), {
      en: 'Score beyond which a value is an outlier; 1.5, 3 and 3.5 by the method.',
      ko: '이상치로 보는 점수입니다. 방법에 따라 1.5, 3, 3.5입니다.',
    }),
  },
  *read(words) {
    const value = yield* takeExpression(words, { keywords: AGGREGATE_KEYWORDS, aggregate: 90307 });
    return { value, by: yield* takeBy(words) };
  },
  text: ({ value, by }) => `${expressionText(value, AGGREGATE_KEYWORDS)}${byText(by)}`,
  *plan({ value, by }, planning) {
    const { method = 'iqr', threshold = THRESHOLDS[method] } = planning.options;
    const number = asDouble(numberOf(yield* planning.expression(value)));
    const keys = yield* groupKeys(by, planning);
    const steps = new Steps(planning, keys);
    const x = steps.compute(number);
    const { score, isOutlier } = METHODS[method](x, literal(threshold, x), steps);
    const orNull = (expression: Expression) => called('if', [called('isnull', [x]), literal(null, x), expression]);
    const made = [
      { column: planning.newColumn('_outlier', 'bool'), value: orNull(isOutlier(score)) },
      { column: planning.newColumn('_score', 'double'), value: orNull(score) },
    ];
    const rows = withColumns(
      planning.rows,
      made.map(({ column }) => column),
    );
    return { ...planning.planNode(rows), input: steps.node, kind: 'project', assigned: made };
  },
});

/** Further columns of the input, each in a node of its own. */
class Steps {
  readonly #planning: CommandPlanning<unknown>;
  readonly #keys: readonly Assigned[];
  node: PlanNode;
  #count = 0;

  constructor(planning: CommandPlanning<unknown>, keys: readonly Assigned[]) {
    this.#planning = planning;
    this.#keys = keys;
    this.node = planning.input;
  }

  compute(value: Expression): FieldRead {
    const column = this.#column();
    const rows = withColumns(this.node.rows, [column]);
    this.#put({ kind: 'project', assigned: [{ column, value }] }, rows);
    return this.#planning.quietField(column.name, rows);
  }

  /** Of all numbers of the group of a row. */
  aggregate(declaration: AggregateDeclaration | undefined, x: FieldRead): FieldRead {
    if (!declaration) throw new Error('there is no such aggregate');
    const column = this.#column();
    const span = { begin: x.begin, end: x.end };
    const made = {
      called: declaration,
      args: [x],
      type: 'double',
      output: column.name,
      outputSpan: span,
      ...span,
    } as const;
    const rows = withColumns(this.node.rows, [column]);
    this.#put({ kind: 'eventstats', by: this.#keys, aggregates: [{ column, call: made }] }, rows);
    return this.#planning.quietField(column.name, rows);
  }

  #put(parts: object, rows: Rows): void {
    this.node = { ...this.#planning.planNode(rows), input: this.node, ...parts } as PlanNode;
  }

  /** A name that no field has. */
  #column() {
    this.#count += 1;
    return this.#planning.newColumn(` outlier ${this.#count}`, 'double');
  }
}

interface Judged {
  readonly score: Expression;
  readonly isOutlier: (score: Expression) => Expression;
}

type Method = (x: FieldRead, threshold: Expression, steps: Steps) => Judged;

const METHODS: Readonly<Record<keyof typeof THRESHOLDS, Method>> = {
  iqr(x, threshold, steps) {
    const q1 = steps.aggregate(QUARTILES.iqr1, x);
    const q3 = steps.aggregate(QUARTILES.iqr3, x);
    const r = arithmetic('-', q3, q1);
    const below = arithmetic('/', arithmetic('-', q1, x), r);
    const above = arithmetic('/', arithmetic('-', x, q3), r);
    const margin = arithmetic('*', threshold, r);
    return {
      score: called('case', [comparison('<', x, q1), below, comparison('>', x, q3), above, literal(0, x)]),
      isOutlier: () =>
        logic(
          'or',
          [comparison('<', x, arithmetic('-', q1, margin)), comparison('>', x, arithmetic('+', q3, margin))],
          x,
        ),
    };
  },
  zscore(x, threshold, steps) {
    const mean = steps.aggregate(aggregateNamed('avg'), x);
    const deviation = steps.aggregate(aggregateNamed('stddev'), x);
    const score = arithmetic('/', arithmetic('-', x, mean), deviation);
    return {
      score: called('if', [comparison('==', deviation, literal(0, x)), literal(0, x), score]),
      isOutlier: (one) => comparison('>', called('abs', [one]), threshold),
    };
  },
  mad(x, threshold, steps) {
    const median = steps.aggregate(aggregateNamed('median'), x);
    const distance = steps.compute(called('abs', [arithmetic('-', x, median)]));
    const mad = steps.aggregate(aggregateNamed('median'), distance);
    const scaled = arithmetic('*', literal(MAD_SHARE, x), arithmetic('-', x, median));
    const isMedian = comparison('==', distance, literal(0, x));
    return {
      score: called('if', [isMedian, literal(0, x), arithmetic('/', scaled, mad)]),
      isOutlier: (one) =>
        called('if', [
          comparison('==', mad, literal(0, x)),
          comparison('>', distance, literal(0, x)),
          comparison('>', called('abs', [one]), threshold),
        ]),
    };
  },
};

function called(name: string, args: readonly Expression[]): Expression {
  const declaration = functionNamed(name);
  const [first] = args;
  if (!declaration || !first) throw new Error(`there is no function ${name}`);
  return call(declaration, args, first);
}

const asDouble = (value: Expression): Expression => (value.type === 'double' ? value : called('double', [value]));
