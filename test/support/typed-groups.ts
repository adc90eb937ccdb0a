// Random pipelines that group rows by columns of one type, behind conditions on such columns: what a store may answer itself.

import fc from 'fast-check';
import { recordStep, text } from './pipeline-texts.ts';
import { oneOf } from './random-tables.ts';

const column = oneOf(['n', 's', 'd', 'line', 'n', 's', 'd']);

const simple = fc.oneof(
  text(
    'n',
    oneOf([' == ', ' != ', ' < ', ' <= ', ' > ', ' >= ']),
    oneOf(['1', '2', '2.5', '-1.5', '10.0', '9007199254740993']),
  ),
  text('d', oneOf([' == ', ' != ', ' < ', ' <= ', ' > ', ' >= ']), oneOf(['1', '2.5', '-1.5', '100', '0.0', '1e300'])),
  text(
    's',
    oneOf([' == ', ' != ', ' < ', ' <= ', ' > ', ' >= ']),
    oneOf(['"a"', '"B"', '""', '"e\u0301"', '"한글"', '"x\\*"']),
  ),
  text('s', oneOf([' == ', ' != ']), oneOf(['"*"', '"1*"', '"*a*"', '"1*e*2"', '"*%"', '"e\u0301*"'])),
  text('contains(', oneOf(['s', 'line']), ', ', oneOf(['"a"', '""', '"%"', '"x="', '"é"']), ')'),
  text('in(s, ', oneOf(['"a", "B"', '"5", "1*"', '""', '"😀", "true"']), ')'),
  text('in(n, ', oneOf(['1, 2', '3.0, 10', '5']), ')'),
  text(oneOf(['isnull', 'isnotnull']), '(', column, ')'),
  text(
    '_time ',
    oneOf(['>=', '<', '>', '==']),
    ' date("',
    oneOf(['2026-11-15', '2026-11-15 09:10:00', '2026-11-01']),
    '")',
  ),
  oneOf(['s == line', 'n == n', 'n < d', 's != line', 'd >= d', 'n == null']),
);

const condition = fc.oneof(
  { weight: 4, arbitrary: simple },
  { weight: 1, arbitrary: text('(', simple, ') ', oneOf(['and', 'or']), ' (', simple, ')') },
  { weight: 1, arbitrary: text('not(', simple, ')') },
  { weight: 1, arbitrary: text('not((', simple, ') ', oneOf(['and', 'or']), ' not(', simple, '))') },
);

const AGGREGATES = [
  ...[
    'count',
    'count(n)',
    'count(s)',
    'sum(n)',
    'sum(d)',
    'avg(n)',
    'avg(d)',
    'min(n)',
    'max(d)',
    'min(s)',
    'max(line)',
  ],
  ...[
    'min(_time)',
    'max(_time)',
    'count(_time)',
    'dc(s)',
    'dc(n)',
    'estdc(d)',
    'values(s)',
    'values(n, 2)',
    'max(lower(s))',
  ],
];
const aggregates = fc
  .uniqueArray(oneOf(AGGREGATES), { minLength: 1, maxLength: 3 })
  .map((calls) => calls.map((one, index) => `${one} as g${index || ''}`).join(', '));

const group = fc.oneof(
  {
    weight: 3,
    arbitrary: text(
      'stats ',
      aggregates,
      oneOf(['', ' by s', ' by n', ' by d', ' by s, n', ' by _table', ' by gone, s']),
    ),
  },
  text(oneOf(['top', 'rare']), ' 2 ', oneOf(['s', 'n', 's, d']), oneOf(['', ' by n', ' by _table'])),
  text(
    'timechart span=',
    oneOf(['1h', '30m', '2h', '1d', '1w', '1mon', '7m', '1h offset=30m']),
    oneOf([' ', ' cont=t ', ' cont=t fill=0 ']),
    aggregates,
  ),
  text(
    'timechart span=',
    oneOf(['1h', '1d']),
    oneOf([' ', ' limit=1 ', ' limit=2 useother=f ', ' fill=0 ']),
    aggregates,
    oneOf([' by s', ' by n', ' by d']),
  ),
  text(
    'pivot ',
    oneOf(['', 'fill=0 ']),
    aggregates,
    oneOf(['', ' rows n', ' rows s, d']),
    ' cols ',
    oneOf(['s', 'n', 's, n']),
  ),
  text(oneOf(['rollup', 'cube']), ' ', aggregates, oneOf([' by s', ' by n, s'])),
);

/** Also where one of the conditions is none that a store tests. */
export const typedGroups: fc.Arbitrary<string> = fc
  .tuple(
    oneOf(['table t', 'table t', 'table r', 'table t, r', 'table order=asc t', 'table t | bypass']),
    fc.array(condition, { maxLength: 2 }),
    group,
    fc.oneof({ weight: 3, arbitrary: fc.constant('') }, recordStep),
  )
  .map(([source, conditions, grouped, after]) =>
    [source, ...conditions.map((one) => `search ${one}`), grouped, ...(after === '' ? [] : [after])].join(' | '),
  );
