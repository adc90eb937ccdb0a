import { fieldText } from '#query/language/expression-text.ts';
import { optionSpan } from '#query/language/option-readers.ts';
import { quotedPattern, wildcardParts } from '#query/language/strings.ts';
import type { Name, Words } from '#query/language/words.ts';
import { carried, SERVICE_COLUMNS, withColumns } from '#query/model/columns.ts';
import { QueryError } from '#query/model/query-error.ts';
import { suggestionsFor } from '#query/model/suggestions.ts';
import { unified } from '#query/model/values.ts';
import type { PlanNode } from '#query/nodes/plan.ts';
import { command } from '#query/planning/command.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';
import { PARSE_RULES, parseOptions } from './shared/parse-family.ts';

const KEYWORDS = ['as'];

interface Pair {
  readonly start: string;
  readonly stop: string;
  readonly field: Name;
}

type Body = { readonly pairs: readonly Pair[] } | { readonly parser: Name };

interface Values {
  readonly field: string | undefined;
  readonly overlay: boolean | undefined;
}

export const parse = command({
  name: 'parse',
  class: 'processing',
  syntax: 'parse [field=line] "START*STOP" as F, ... or parse [field=line] [overlay=f] NAME',
  summary: 'Extracts the text between two texts, or runs a named parser.',
  rules: [
    'Each pair searches the whole text independently: the field is the text between the first START and the first STOP after it. An empty START is the beginning, an empty STOP the end; `\\*` is a star. A pair that does not fit leaves its field as it was.',
    'A named parser is a stored pipeline, which replaces the command.',
    ...PARSE_RULES,
  ],
  errors: [20600, 20601, 20602],
  examples: [
    {
      tables: { given: [{ line: 'Proto:tcp,Rule:7' }] },
      query: 'table given | parse "Proto:*," as proto, "Rule:*" as rule, "User:*," as user',
      gives: [{ line: 'Proto:tcp,Rule:7', proto: 'tcp', rule: '7' }],
    },
  ],
  options: parseOptions,
  read(words, { options }): Body {
    if (words.here !== '"') return { parser: takeParser(words) };
    if (options.overlay) {
      throw new QueryError(90001, optionSpan(options.overlay.at), { command: 'parse', name: 'overlay' });
    }
    const pairs = [takePair(words)];
    while (words.take(',')) pairs.push(takePair(words));
    return { pairs };
  },
  text(body) {
    if ('parser' in body) return body.parser.text;
    return body.pairs
      .map(({ start, stop, field }) => `${quotedPattern([start, stop])} as ${fieldText(field.text, KEYWORDS)}`)
      .join(', ');
  },
  plan: (body, planning) => ('parser' in body ? parserRun(body.parser, planning) : between(body.pairs, planning)),
});

function takeParser(words: Words): Name {
  const word = words.takeWord();
  if (!word) throw words.tooFew({ term: 'name' });
  return { ...word, text: word.text.normalize() };
}

function takePair(words: Words): Pair {
  const token = words.takeString();
  if (!token) throw words.tooFew({ term: 'string' });
  const [start, stop, more] = wildcardParts(token);
  if (start === undefined || stop === undefined || more !== undefined) throw new QueryError(20601, token);
  if (!words.takeKeyword('as')) throw new QueryError(20602, words.isDone ? words.endSpan : words.token());
  return { start, stop, field: words.takeName(KEYWORDS, () => words.tooFew({ term: 'field' })) };
}

function between(pairs: readonly Pair[], planning: CommandPlanning<Values>): PlanNode {
  const source = planning.optionField('field', 'line');
  const made = pairs.map(({ start, stop, field }) => {
    const before = planning.quietField(field.text);
    return { start, stop, before, column: planning.newColumn(field.text, unified('string', before.type)) };
  });
  const rows = withColumns(
    planning.rows,
    made.map(({ column }) => column),
  );
  return { ...planning.step(rows), kind: 'parse', source, pairs: made };
}

function parserRun(name: Name, planning: CommandPlanning<Values>): PlanNode {
  const { parsers } = planning.queryContext;
  const text = parsers.get(name.text);
  if (text === undefined) {
    throw new QueryError(20600, name, { name: name.text }, { suggestions: suggestionsFor(name.text, parsers.keys()) });
  }
  const { overlay = false } = planning.options;
  const body = planning.context.planParser(text, name);
  const names = [...new Set([...planning.rows.columns, ...body.rows.columns].map((column) => column.name))];
  const fields = names.map((one) => ({
    before: planning.quietField(one),
    column: planning.newColumn(one, 'any'),
    isKept: SERVICE_COLUMNS.includes(one),
  }));
  const overflow = planning.hiddenColumn();
  const columns = fields.map(({ column }) => column);
  const rows = { columns, overflow: { id: overflow, without: [] }, ...carried(planning.rows) };
  const source = planning.optionField('field', 'line');
  return { ...planning.step(rows), kind: 'parser', parser: name.text, source, overlay, body, fields, overflow };
}
