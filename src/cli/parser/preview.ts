// vigil parser preview

import { clientFlags, connect, paramsOf } from '#cli/kit/client.ts';
import type { Command, Flags, Invocation } from '#cli/kit/command.ts';
import { codeOf } from '#cli/kit/failures/failure.ts';
import { charsetFlag, charsetOf } from '#cli/kit/files/charset-flag.ts';
import { isGzip, openSource, requireFiles } from '#cli/kit/files/source.ts';
import { type Field, jsonFlag, printJson, printList } from '#cli/kit/output/records.ts';
import type { AnswerFor } from '#client/call.ts';
import { decompress, WrongGzip } from '#files/gunzip.ts';
import { asUtf8 } from '#ingest/decode/as-utf8.ts';
import { UsageError } from '#kernel/usage-error.ts';

/** Limit of one request. */
const MAX_LINES = 10;

type Answer = AnswerFor<'POST /api/core/parsers/preview'>;
type Result = Answer['results'][number];

const fields: Flags = {
  parser: { hint: 'CODE', about: { en: 'a parser by its code', ko: '파서 코드' }, sends: 'parser_code' },
  kind: {
    hint: 'KIND',
    about: {
      en: 'in place of a code, the kind of a parser that is not stored: regex, csv, key-value, json, xml or query',
      ko: '코드 대신 저장하지 않은 파서의 종류: regex, csv, key-value, json, xml, query 중 하나',
    },
    sends: 'factory_name',
  },
  configs: {
    hint: 'JSON',
    about: { en: 'configuration of the built-in parser or the kind, a map', ko: '내장 파서나 종류의 설정(JSON 객체)' },
    sends: 'configs',
  },
};

export const parserPreview: Command = {
  name: 'parser preview',
  takes: 'FILE',
  about: {
    en: 'show the records that a parser makes of the first ten lines of a file; nothing is stored; - is standard input, .gz is decompressed',
    ko: '파일의 처음 열 줄을 파서가 어떤 로그로 읽는지 보여 줍니다. 저장하지 않으며, -는 표준 입력이고 .gz는 풀어서 읽습니다',
  },
  flags: { ...fields, ...charsetFlag, ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const { flags } = invocation;
    const client = connect(invocation);
    const lines = await linesOf(invocation);
    const params = { ...paramsOf<'POST /api/core/parsers/preview'>(fields, flags), lines };
    const options = { body: JSON.stringify(params), headers: { 'content-type': 'application/json' } };
    const answer = await client.request('POST /api/core/parsers/preview', {}, options);
    const { results } = await client.readExactly<Answer>(answer);
    if (flags.json) printJson(invocation, results);
    else await printList({ invocation, client }, results, FIELDS);
    return 0;
  },
};

/** Read as `vigil import` reads the file, and no further than needed. */
async function linesOf(invocation: Invocation): Promise<readonly string[]> {
  const { words, streams } = invocation;
  requireFiles(words);
  const charset = charsetOf(invocation);
  await using source = await openSource(words[0] ?? '', streams);
  const pieces = source.read(0, source.sizeBytes);
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const piece of asUtf8(isGzip(source) ? decompress(pieces) : pieces, charset)) {
      text += decoder.decode(piece, { stream: true });
      // One more, because the last one may be incomplete.
      if (linesIn(text).length > MAX_LINES) break;
    }
  } catch (cause) {
    if (!(cause instanceof WrongGzip)) throw cause;
    throw new UsageError('cannot-read', { path: source.given, code: codeOf(cause.cause) }, { cause });
  }
  return linesIn(text).slice(0, MAX_LINES);
}

const linesIn = (text: string): string[] => text.split(/\r?\n/).filter((line) => line.trim() !== '');

const FIELDS: readonly Field<Result>[] = [
  { title: 'field-outcome', text: ({ reason }) => reason ?? 'ok', isBad: ({ reason }) => reason !== null },
  { title: 'field-record', text: ({ line, record }) => (record ? JSON.stringify(record) : line) },
];
