import type { SlicedWork } from '#kernel/sliced-work.ts';
import { fieldText } from '#query/language/expressions/expression-text.ts';
import { optionSpan } from '#query/language/option-readers.ts';
import { quotedPattern, unescaped, wildcardParts } from '#query/language/strings.ts';
import type { Name, Words } from '#query/language/words.ts';
import { carried, SERVICE_COLUMNS, withColumns } from '#query/model/columns.ts';
import type { Span } from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';
import { fieldGroups } from '#query/model/regex.ts';
import { suggestionsFor } from '#query/model/suggestions.ts';
import { unified } from '#query/model/values.ts';
import { chainTo } from '#query/plan-nodes/facts.ts';
import type { KnownPlanNode } from '#query/plan-nodes/kinds.ts';

import { command } from '#query/planning/command.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';
import type { KnownParser } from '#query/planning/query-context.ts';
import type { ParseMethod } from '#query/values/formats/parsed-text.ts';
import { lookupText, takeLookupName } from './shared/lookups.ts';
import { PARSE_RULES, parseFields, parseOptions } from './shared/parse-family.ts';

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
  summary: {
    en: 'Extracts the text between two texts, or runs a named parser.',
    ko: '두 텍스트 사이의 텍스트를 뽑거나 저장된 파서를 실행합니다.',
  },
  rules: [
    'Each pair searches the whole text independently: the field is the text between the first START and the first STOP after it. An empty START is the beginning, an empty STOP the end; `\\*` is a star. A pair that does not fit leaves its field as it was.',
    'NAME is the code of a stored parser, or of a built-in one that needs no configuration (`json`, `key-value`, `syslog`, `text`). The kind of a stored parser decides how it reads: `regex` gives the named groups of the first match; `csv` the values by the names of its columns, unreadable with another number of values; `key-value` as `parsekv`, unreadable without any pair; `json` and `xml` as `parsejson` and `parsexml`.',
    'A parser of kind `query` is a pipeline that runs in the place of the command, with the input field as `line`. The fields that it made or changed count as parsed; a row for which no row comes out is unreadable, and of several the first counts. Parsers may name parsers, up to 16 deep.',
    ...PARSE_RULES,
  ],
  errors: [20600, 20601, 20602, 20603],
  examples: [
    {
      tables: { given: [{ line: 'Proto:tcp,Rule:7' }] },
      query: 'table given | parse "Proto:*," as proto, "Rule:*" as rule, "User:*," as user',
      gives: [{ line: 'Proto:tcp,Rule:7', proto: 'tcp', rule: '7' }],
    },
    {
      parsers: {
        login: { kind: 'regex', configs: { pattern: 'user=(?<user>\\S+)' } },
        big: { kind: 'query', configs: { query: 'parsejson | search n > 1 | eval big = true' } },
      },
      tables: { given: [{ line: 'user=kim x' }, { line: '{"n":2}' }, { line: '{"n":1}' }] },
      query: 'table given | parse login | parse big',
      gives: [{ user: 'kim' }, { n: 2, big: true }, { line: '{"n":1}' }],
    },
    {
      parsers: { login: { kind: 'regex', configs: { pattern: 'user=(?<user>\\S+)' } } },
      tables: { given: [{ m: 'user=kim', k: 1 }] },
      query: 'table given | parse field=m overlay=t login',
      gives: [{ m: 'user=kim', k: 1, user: 'kim' }],
    },
  ],
  options: parseOptions,
  *read(words, { options }): SlicedWork<Body> {
    const named = takeParser(words);
    if (named) return { parser: named };
    if (options.overlay) {
      throw new QueryError(90001, optionSpan(options.overlay.at), { command: 'parse', name: 'overlay' });
    }
    const pairs: Pair[] = [];
    do {
      pairs.push(takePair(words));
      yield;
    } while (words.take(','));
    return { pairs };
  },
  text(body) {
    if ('parser' in body) return lookupText(body.parser);
    return body.pairs
      .map(({ start, stop, field }) => `${quotedPattern([start, stop])} as ${fieldText(field.text, KEYWORDS)}`)
      .join(', ');
  },
  plan: (body, planning) => ('parser' in body ? parserRun(body.parser, planning) : between(body.pairs, planning)),
});

/** A text without a star, and without `as` behind it, names a parser too. */
function takeParser(words: Words): Name | undefined {
  if (words.here !== '"') return takeLookupName(words);
  const begin = words.at;
  const token = words.takeString();
  if (token && words.isDone && wildcardParts(token).length === 1) {
    return { begin: token.begin, end: token.end, text: unescaped(token).text };
  }
  words.moveTo(begin);
  return undefined;
}

function takePair(words: Words): Pair {
  const token = words.takeString();
  if (!token) throw words.tooFew({ term: 'string' });
  const [start, stop, more] = wildcardParts(token);
  if (start === undefined || stop === undefined || more !== undefined) throw new QueryError(20601, token);
  if (!words.takeKeyword('as')) throw new QueryError(20602, words.isDone ? words.endSpan : words.token());
  return { start, stop, field: words.takeName(KEYWORDS, () => words.tooFew({ term: 'field' })) };
}

function between(pairs: readonly Pair[], planning: CommandPlanning<Values>): KnownPlanNode {
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

function* parserRun(name: Name, planning: CommandPlanning<Values>): SlicedWork<KnownPlanNode> {
  const { parsers } = planning.queryContext;
  const known = parsers.get(name.text);
  if (known === undefined) {
    throw new QueryError(20600, name, { name: name.text }, { suggestions: suggestionsFor(name.text, parsers.keys()) });
  }
  if (known.kind === 'query') return yield* queryParserRun(name, known.query, planning);
  return parseFields(methodOf(known, planning.span), planning, 'columns' in known ? known.columns : []);
}

type TextParser = Exclude<KnownParser, { kind: 'query' }>;

/** How the fields of a text are read by a parser that is no pipeline. */
function methodOf(known: TextParser, span: Span): ParseMethod {
  if ('pattern' in known)
    return { format: 'regex', groups: fieldGroups({ text: known.pattern, offset: (index) => index }, span) };
  if ('columns' in known) {
    const { columns: names, delimiter: separator, quote } = known;
    return { format: 'csv', tab: false, strict: true, names, marks: { separator, quote } };
  }
  if ('pairDelimiter' in known) {
    const { pairDelimiter, keyDelimiter, quoted: quote } = known;
    return { format: 'kv', pairDelimiter, keyDelimiter, quote, needsPair: true };
  }
  if ('flatten' in known) return { format: 'json', flatten: known.flatten, lenient: known.lenient };
  return { format: known.kind };
}

function* queryParserRun(name: Name, text: string, planning: CommandPlanning<Values>): SlicedWork<KnownPlanNode> {
  const { overlay = false } = planning.options;
  const last = yield* planning.context.planParser(text, name);
  const body = chainTo(last);
  const names = [...new Set([...planning.rows.columns, ...last.rows.columns].map((column) => column.name))];
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
