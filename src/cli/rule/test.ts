// vigil rule test

import { text as wholeText } from 'node:stream/consumers';
import { type Client, clientFlags, connect } from '#cli/kit/client.ts';
import type { Command, Invocation } from '#cli/kit/command.ts';
import { readTextFile, STANDARD_INPUT } from '#cli/kit/files/text-file.ts';
import { type Field, jsonFlag, printJson, printList } from '#cli/kit/output/records.ts';
import type { Translator } from '#cli/kit/translator.ts';
import type { AnswerFor } from '#client/call.ts';
import { parseExactly } from '#kernel/json/parse-json.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { findRule } from './rule.ts';

/** Limits of one request, below those of the service. */
const MAX_RECORDS = 1000;
const MAX_CHARACTERS = 256 * 1024;

type Answer = AnswerFor<'POST /api/core/stream-rules/test'>;
type Result = Answer['results'][number];

/** A record as written in the file. */
interface Line {
  readonly number: number;
  readonly text: string;
}

/** The outcome of a record and a rule. */
interface ResultLine {
  readonly line: number;
  readonly rule: string;
  readonly outcome: string;
  readonly isBad?: boolean;
  readonly condition?: string;
  readonly values?: string;
}

export const ruleTest: Command = {
  name: 'rule test',
  takes: 'FILE',
  about: {
    en: 'show which stream rules match records, one JSON object per line; nothing is stored or raised; - is standard input',
    ko: '한 줄에 JSON 객체 하나인 로그가 어떤 스트림 룰에 걸리는지 알려 줍니다. 저장도 탐지도 하지 않으며, -는 표준 입력입니다',
  },
  flags: {
    rule: {
      hint: 'NAME-or-GUID',
      about: {
        en: 'only this rule, enabled or not, with the condition that stops each record it does not match',
        ko: '켜져 있든 꺼져 있든 이 룰만, 걸리지 않는 로그는 무엇 때문인지도',
      },
    },
    schema: {
      hint: 'CODE',
      about: { en: 'only rules of this log schema', ko: '이 로그 스키마의 룰만' },
    },
    ...jsonFlag,
    ...clientFlags,
  },

  async run(invocation) {
    const { flags, translator, note } = invocation;
    const lines = await linesOf(invocation);
    const client = connect(invocation);
    const options = await ruleSelection(invocation, client);
    const results: Result[] = [];
    for (const part of partsOf(lines)) {
      // The text of the file is sent, so that numbers keep their digits.
      const records = `"records":[${part.map(({ text }) => text).join()}]`;
      const body = `{${[records, ...options.map((member) => JSON.stringify(member).slice(1, -1))].join()}}`;
      const headers = { 'content-type': 'application/json' };
      const answer = await client.request('POST /api/core/stream-rules/test', {}, { body, headers });
      const { results: some, broken } = await client.readExactly<Answer>(answer);
      const [first] = results.length === 0 ? broken : [];
      if (first) throw new UsageError('rule-test-broken', { rule: first.name ?? '', reason: first.reason });
      results.push(...some);
    }
    if (flags.json) printJson(invocation, results);
    else
      await printList(
        { invocation, client },
        lines.flatMap((line, at) => resultLines(line, results[at], translator)),
        FIELDS,
      );
    if (!flags.json) note(summary(results, translator));
    return 0;
  },
};

async function linesOf({ words: [path = ''], streams }: Invocation): Promise<Line[]> {
  const text = path === STANDARD_INPUT ? await wholeText(streams.stdin ?? process.stdin) : readTextFile(path);
  const lines = text.split('\n').map((line, index) => ({ number: index + 1, text: line.trim() }));
  const records = lines.filter((line) => line.text !== '');
  for (const { number, text: one } of records) {
    if (!isObject(one)) throw new UsageError('rule-test-line', { line: String(number) });
  }
  return records;
}

function isObject(text: string): boolean {
  try {
    return text.startsWith('{') && typeof parseExactly(text) === 'object';
  } catch {
    return false;
  }
}

/** The members of the request that select rules. */
async function ruleSelection({ flags }: Invocation, client: Client): Promise<object[]> {
  const schema = flags.schema === undefined ? [] : [{ schema_code: flags.schema }];
  if (flags.rule === undefined) return schema;
  const { guid } = await findRule(client, flags.rule, ['stream']);
  return [{ guids: [guid] }, ...schema];
}

function* partsOf(lines: readonly Line[]): Generator<Line[]> {
  let part: Line[] = [];
  let letters = 0;
  for (const line of lines) {
    if (part.length === MAX_RECORDS || (part.length > 0 && letters + line.text.length > MAX_CHARACTERS)) {
      yield part;
      [part, letters] = [[], 0];
    }
    part.push(line);
    letters += line.text.length;
  }
  if (part.length > 0) yield part;
}

function resultLines({ number: line }: Line, result: Result | undefined, { text }: Translator): ResultLine[] {
  if (!result) return [];
  const { reason, matches, misses } = result;
  if (reason !== null) return [{ line, rule: '-', outcome: text('rule-test-rejected', { reason }), isBad: true }];
  const lines: ResultLine[] = [
    ...matches.map(({ name }) => ({ line, rule: name ?? '-', outcome: text('rule-test-match') })),
    ...misses.map(({ name, ordinal, condition, invert, fields }) => ({
      line,
      rule: name ?? '-',
      outcome: text('rule-test-stopped', { ordinal: String(ordinal) }),
      condition: invert ? text('rule-test-not', { condition }) : condition,
      values: Object.entries(fields)
        .map(([field, value]) => `${field}=${JSON.stringify(value)}`)
        .join(', '),
    })),
  ];
  return lines.length > 0 ? lines : [{ line, rule: '-', outcome: text('rule-test-none') }];
}

const FIELDS: readonly Field<ResultLine>[] = [
  { title: 'field-line', isNumeric: true, text: ({ line }) => String(line) },
  { title: 'field-rule', text: ({ rule }) => rule },
  { title: 'field-outcome', text: ({ outcome }) => outcome, isBad: ({ isBad = false }) => isBad },
  { title: 'field-condition', text: ({ condition = '-' }) => condition },
  { title: 'field-values', text: ({ values = '-' }) => values },
];

function summary(results: readonly Result[], { text }: Translator): string {
  const matching = results.filter(({ matches }) => matches.length > 0).length;
  return text('rule-test-summary', { matching: String(matching), records: String(results.length) });
}
