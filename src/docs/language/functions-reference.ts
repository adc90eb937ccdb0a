// The reference of the functions and aggregates of the query language, made from their declarations.

import { code, markdownTable } from '#docs/markdown.ts';
import { PRODUCT_NAME } from '#docs/product.ts';
import { aggregates, functions } from '#query/functions/index.ts';
import type { AggregateExample, FunctionDeclaration, FunctionExample, FunctionGroup } from '#query/model/function.ts';

const GROUPS: Readonly<Record<Exclude<FunctionGroup, 'aggregates'>, string>> = {
  conditions: 'Tests and conditions',
  conversion: 'Conversion',
  strings: 'Strings',
  numbers: 'Numbers',
  dates: 'Dates',
  addresses: 'Addresses',
  lists: 'Lists and maps',
};

export function functionsReference(): string {
  const parts = [
    `# ${PRODUCT_NAME}: functions of the query language`,
    'Arguments are `s` a string, `n` a number, `i` a whole number, `d` a date, `l` a list, `x` and `y` any value; arguments are converted to their types, and a value that cannot be converted counts as null. An argument with `’` must be a constant. Unless its description says otherwise, a null argument gives null.',
    '`field("name")` is the field of that name, for names that cannot be written bare; `$("name", default)` is a parameter of the query. In the examples the zone is Asia/Seoul and it is noon on 15 November 2026 there; the text `@2026-11-15 09:00:00+0900` stands for that date.',
    'Arguments of the functions in this table may also be written `name=value`, behind those without a name and in any order: `datetrunc(_time, offset="9h", span="1d")`. Normalized text writes all by position.',
    namedTable(),
    ...Object.entries(GROUPS).flatMap(([group, title]) => [`## ${title}`, functionTable(functionsOf(group))]),
    '## Aggregates',
    'They stand only in `stats`, `eventstats`, `timechart` and `pivot`. Null is ignored by all but `count`; numeric ones convert strings and ignore values that are not numbers. “Empty” is the result over no values. The examples are over rows whose field `x` takes these values.',
    aggregateTable(),
  ];
  return `${parts.join('\n\n')}\n`;
}

const functionsOf = (group: string) => functions.filter((one) => one.group === group);

function namedTable(): string {
  const rows = [...functions, ...aggregates].flatMap(({ name, args, parameters }) =>
    parameters ? [[code(name), parameters.slice(0, args.length).map(code).join(', ')]] : [],
  );
  return markdownTable({ head: ['Function', 'Names of its arguments'], rows });
}

function functionTable(declared: readonly FunctionDeclaration[]): string {
  const rows = declared.map(({ syntax, aliases = [], summary, examples }) => {
    const also = aliases.length > 0 ? ` Also ${aliases.map(code).join(', ')}.` : '';
    return [signature(syntax), `${summary.en}${also}`, examples.map(example).join(' · ')];
  });
  return markdownTable({ head: ['Function', 'Meaning', 'Example'], rows });
}

function aggregateTable(): string {
  const rows = aggregates.map(({ syntax, summary, empty, examples }) => [
    signature(syntax),
    summary.en,
    code(empty),
    examples.map(aggregateExample).join(' · '),
  ]);
  return markdownTable({ head: ['Aggregate', 'Meaning', 'Empty', 'Example'], rows });
}

/** Alternatives stand in one text, joined by `or`. */
const signature = (syntax: string) => syntax.split(' or ').map(code).join(' or ').replaceAll("'", '’');

const example = ({ text, gives }: FunctionExample) => `${code(text)} → ${code(JSON.stringify(gives))}`;

const aggregateExample = ({ text, over, gives }: AggregateExample) =>
  `${code(text)} over ${code(over)} → ${code(JSON.stringify(gives))}`;
