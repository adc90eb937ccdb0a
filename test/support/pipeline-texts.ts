// Random pipelines over small tables (16.3), all valid. Steps are parts of their own, so that a failure shrinks to the few
// that matter.

import fc from 'fast-check';
import { GROUP } from '#test/support/expressions.ts';
import { COLUMNS, oneOf } from './random-tables.ts';

const FIELDS = [...Object.keys(COLUMNS).slice(0, -1), 'field("odd \\"name\\"")', '_time', 'e', 'g', 'gone'];

export const field = oneOf(FIELDS);
/** A name may stand twice, and a comma at the end. */
const fields = fc
  .tuple(fc.array(field, { minLength: 1, maxLength: 3 }), oneOf(['', '', ',']))
  .map(([names, end]) => names.join(', ') + end);
export const text = (...parts: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
  fc.tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part))).map((all) => all.join(''));

const LITERALS = [
  '1',
  '5',
  '"5"',
  '"a*"',
  'true',
  '2.5',
  '"*"',
  '""',
  '"x\\*"',
  '500',
  '"2026-01-31"',
  'null',
  '-1.5',
  '"e\u0301"',
];
const simple = fc.oneof(
  text(field, oneOf([' == ', ' != ']), oneOf(LITERALS)),
  text(field, oneOf([' > ', ' <= ', ' < ', ' >= ']), oneOf(['1', '"a"', '2.5', 'now()', '"5"', 'true'])),
  text('isnull(', field, ')'),
  text('not(', field, ' == ', field, ')'),
  field,
  text('in(', field, ', "a", 5, "1*")'),
  text('match(', field, ', "(?i)[a-c]|\\\\d")'),
  text('contains(', field, ', ', oneOf(['"a"', '1', '""']), ')'),
  text('eqi(', field, ', ', oneOf(['"A"', '"b*"', '"TRUE"']), ')'),
  text(
    '_time ',
    oneOf(['>=', '<', '>', '=='] as const),
    ' date("',
    oneOf(['2026-11-15', '2026-11-15 09:10:00', '2026-11-01']),
    '")',
  ),
  text('innet(', field, ', "10.0.0.0/8")'),
);
export const condition = fc.oneof(
  { weight: 4, arbitrary: simple },
  { weight: 1, arbitrary: text('(', simple, ') ', oneOf(['and', 'or']), ' (', simple, ')') },
  { weight: 1, arbitrary: text('not((', simple, ') ', oneOf(['and', 'or']), ' ', simple, ')') },
);

const rowValue = fc.oneof(
  field,
  text('concat(', field, ', "-", ', field, ')'),
  text('nvl(', field, ', ', oneOf(['0', '"z"']), ')'),
  text('if(', condition, ', ', field, ', ', oneOf(['1', '"q"', 'null']), ')'),
  text('len(', field, ')'),
  text('double(n) * ', oneOf(['2', '0.1', '-1'])),
  text('lower(', field, ')'),
  text('array(', field, ', ', field, ')'),
  text('dict("k", ', field, ')'),
  text('valueof(', field, ', ', oneOf(['0', '"k"', '"a"']), ')'),
  text('datepart(', oneOf(['t', '_time', 'm']), ', "hour")'),
  text('string(', field, ')'),
  text('datetrunc(span="1d", d=', oneOf(['t', '_time']), ')'),
  text('substr(', field, ', end=2, begin=0)'),
);

const AGGREGATES = [
  ...[
    'count',
    'count(n)',
    'sum(n)',
    'sum(d)',
    'min(m)',
    'max(m)',
    'max(s)',
    'dc(m)',
    'dc(rare)',
    'values(s)',
    'values(m)',
    'first(m)',
  ],
  ...[
    'last(n)',
    'avg(n)',
    'median(d)',
    'percentile(n, 90, "lower")',
    'array(s)',
    'array(m, 2)',
    'count(if(n > 1, 1, null))',
    'var(n)',
  ],
];
const aggregates = fc
  .uniqueArray(oneOf(AGGREGATES), { minLength: 1, maxLength: 2 })
  .map((calls) => calls.map((one, index) => `${one} as g${index || ''}`).join(', '));
const by = oneOf(['', ' by s', ' by m', ' by n, rare', ' by s, s,', ' by t', ' by d', ' by l', ' by _time']);

/** The commands of which a stream rule is made (13). */
export const recordStep: fc.Arbitrary<string> = fc.oneof(
  text('search ', condition),
  text('eval ', oneOf(['e', 'm', 's', 'rare', 'field("new \' one")']), ' = ', rowValue, ', g = ', rowValue),
  text('fields ', oneOf(['', '- ', '- e, -']), fields),
  text('rename ', field, ' as ', oneOf(['e', 'm', 'other', 'rare', 'line', '06', '3rd', 'n:1, s as n:1'])),
  text(
    'rex ',
    oneOf(['', 'field=s ', 'field=m ']),
    oneOf([
      '"(?<s>[a-z])=(?<e>\\d)?"',
      '"(?P<m>\\w+)$"',
      '"(?i)(?<line>A)(?<g>.)?"',
      '"\\B(?<s>.)(?<e>.?)"',
      '"^^(?<s>.)$|(?<g>=)"',
    ]),
  ),
  text(
    'parsekv ',
    oneOf([
      '',
      'overlay=t ',
      'quote=t ',
      'field=s ',
      'm',
      'overlay=t pairdelim=";" s',
      'pairdelim="," kvdelim=":" quote=t ',
    ]),
    '',
  ).map((all) => all.trim()),
  text(
    'parsejson ',
    oneOf(['', 'overlay=t ']),
    oneOf(['', 'flatten=t ']),
    oneOf(['', 'lenient=t ', 'cutoff=8 ', 'lenient=t cutoff=30 ']),
    oneOf(['', 's', 'm']),
  ).map((all) => all.trim()),
  text(
    'matchnet field=',
    oneOf(['s', 'm', 'ip']),
    ` guid=${GROUP}`,
    oneOf(['', ' tag=t', ' invert=t', ' invert=t tag=t']),
  ),
);

const processing = fc.oneof(
  { weight: 4, arbitrary: recordStep },
  { weight: 1, arbitrary: text('order ', fields) },
  { weight: 1, arbitrary: text('search ', oneOf(['limit=2 ', 'offset=1 ', 'offset=1 limit=2 ']), condition) },
  { weight: 1, arbitrary: text('eval g = seq(), e = ', rowValue) },
  { weight: 1, arbitrary: fc.constantFrom('search _node == "vigil"', 'eval e = _node', 'fields _node, n') },
  { weight: 1, arbitrary: text('explode ', oneOf(['l', 'm', 's', 'rare'])) },
  { weight: 1, arbitrary: fc.constantFrom('parse "x=*" as e, "*=" as s', 'parse field=s "a*" as m') },
  {
    weight: 1,
    arbitrary: text('parsecsv ', oneOf(['', 'overlay=t ', 'strict=t ']), oneOf(['', 'n, e'])).map((all) => all.trim()),
  },
  {
    weight: 1,
    arbitrary: text(
      'fillnull ',
      oneOf(['', 'value=x ', 'value=true ', 'value="" ']),
      oneOf(['', 'n', 'm, e', 'rare, s']),
    ).map((all) => all.trim()),
  },
  {
    weight: 1,
    arbitrary: text(
      'bin span=',
      oneOf(['2', '1.5', '1h', '1d', '2d offset=1h', '1w', '90m', '1mon']),
      ' ',
      oneOf(['n', 'm', '_time', 't', 'd as e', '_time as g']),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'repeat count=1',
      'repeat count=2',
      'tojson',
      'tojson output=e n, m',
      'bypass',
      'drop',
      'set k = 1',
    ),
  },
  { weight: 1, arbitrary: text('lookup users ', oneOf(['s', 'm', 'n as floor']), ' output dept as e, floor') },
);

/** Of tier 2 (8). */
const later = fc.oneof(
  text('streamstats ', oneOf(['', 'window=1 ', 'window=2 ', 'window=100 ']), aggregates, by),
  text('prev ', fields),
  text(oneOf(['rollup', 'cube']), oneOf([' ', ' label=ALL ']), aggregates, oneOf([' by s', ' by m', ' by s, m, n'])),
  text('parsemap field=', oneOf(['m', 'rare', 's']), oneOf(['', ' overlay=t'])),
  text('parsemap ', oneOf(['', 'overlay=t ']), oneOf(['m', 'rare'])),
  text('signature field=', oneOf(['s', 'm', 'line'])),
  text(
    'matchport port=',
    oneOf(['n', 's', 'm']),
    ' protocol=',
    oneOf(['s', 'm']),
    ` guid=${GROUP}`,
    oneOf(['', ' tag=t']),
  ),
  text('matchblackip fields=', oneOf(['s,m', 'rare', 'gone,s']), ` guid=${GROUP}`, oneOf([' tag=t', ' invert=t'])),
  text('lookup geoip ', field, ' output country as e, asn'),
  text('serial [ eval e = ', rowValue, ' | search ', condition, ' ]'),
);

const transforming = fc.oneof(
  later,
  text('sort ', oneOf(['', 'limit=3 ']), oneOf(['', '-']), field, oneOf(['', ' by s', ' by m'])),
  text('sort ', oneOf(['', '-', '+']), field, ', ', oneOf(['', '-', '+']), field),
  text('limit ', oneOf(['0', '2', '1 3', '100'])),
  text('dedup ', oneOf(['', '', 'count=2 ', '+', '-']), fields),
  text('stats ', aggregates, by),
  text('eventstats ', aggregates, by),
  text(
    'timechart ',
    oneOf(['', 'span=1h ', 'span=2h ', 'span=1w ', 'span=1h offset=30m ']),
    oneOf(['', 'cont=t ', 'cont=t fill=- ', 'fill=0 ']),
    aggregates,
  ),
  text(
    'timechart span=',
    oneOf(['1h', '1d']),
    oneOf([' ', ' limit=1 ', ' limit=2 useother=f ', ' cont=t fill=0 ']),
    aggregates,
    oneOf([' by s', ' by m', ' by n', ' by l']),
  ),
  text(
    'pivot ',
    oneOf(['', 'fill=0 ']),
    aggregates,
    oneOf(['', ' rows n', ' rows m', ' rows s, n']),
    ' cols ',
    oneOf(['s', 'm', 's, n', 'd']),
  ),
  text('pivot ', aggregates, oneOf(['', ' by s', ' for m by n', ' cols s rows l'])),
  text(oneOf(['top', 'rare']), ' 2 ', oneOf(['s', 'm', 's, m', 'rare']), oneOf(['', ' by n'])),
);

const source = oneOf([
  ...[
    'table t',
    'table t',
    'table t',
    'table r',
    'table t, r',
    'table order=asc t',
    'table order=asc limit=3 t',
    'table offset=1 t',
  ],
  ...["json \"[{n:1,m:'a'},{s:'5',m:5,x:[1]},{m:null,d:2.5}]\"", 'fulltext "a" or s == "B" from t'],
  ...[
    'fulltext m == [ table r | fields n ] or not s == [ table r | fields m ] from t',
    'fulltext [ table t | fields m ] from t, r',
    'fulltext tt=t [ table r | fields s ] and not n == [ table t | stats max(n) as top ] from t',
  ],
]);

const merging = fc.oneof(
  text('union [ ', source, ' | ', recordStep, ' ]'),
  text(
    'join type=',
    oneOf(['inner', 'left', 'right', 'full', 'leftonly', 'rightonly']),
    ' ',
    oneOf(['n', 's', 'm', 'rare', 'n, s']),
    ' [ ',
    source,
    ' ]',
  ),
  fc.constant('join type=cross [ table r | fields n, d | rename n as e ]'),
);

const step = fc.oneof(
  { weight: 12, arbitrary: processing },
  { weight: 8, arbitrary: transforming },
  { weight: 1, arbitrary: merging },
);

const joined = (...parts: readonly fc.Arbitrary<readonly string[]>[]) =>
  fc.tuple(source, ...parts).map(([first, ...steps]) => [first, ...steps.flat()].join(' | '));

/** Three to six commands. */
export const pipeline: fc.Arbitrary<string> = joined(fc.array(step, { minLength: 2, maxLength: 5 }));

const grouping = transforming.filter((one) => /^(stats|timechart|pivot|top|rare)\b/.test(one));

/** With commands that look at groups of rows among others. */
export const groupedPipeline: fc.Arbitrary<string> = joined(
  fc.array(step, { maxLength: 2 }),
  grouping.map((one) => [one]),
  fc.array(fc.oneof(step, grouping), { maxLength: 2 }),
);
