// The options of a query, read from flags before anything is sent.

import type { Flags, Invocation } from '#cli/kit/command.ts';
import { outputFlag } from '#cli/kit/output/output-file.ts';
import { parseExactly } from '#kernel/json/parse-json.ts';
import { UsageError } from '#kernel/usage-error.ts';

export const FORMATS = ['table', 'csv', 'json'] as const;

/** The default limit on a terminal. */
const SHOWN_ROWS = 1000;

export const formatFlag: Flags = {
  format: {
    hint: FORMATS.join('|'),
    about: {
      en: 'format of the rows; json is one object per line; by default table on a terminal, csv for a file named .csv, else json',
      ko: '결과 형식, json은 한 줄에 객체 하나. 기본값은 터미널에서는 표, 이름이 .csv로 끝나는 파일에는 csv, 그 밖에는 json',
    },
  },
};

export const paramFlag: Flags = {
  param: {
    hint: 'NAME=VALUE',
    about: {
      en: 'value of $("NAME") in the query: JSON if VALUE is valid JSON, else text; may be repeated',
      ko: '쿼리의 $("NAME") 값. VALUE가 JSON이면 그 값, 아니면 텍스트. 여러 번 지정 가능',
    },
    isRepeatable: true,
  },
};

export const queryFlags: Flags = {
  ...formatFlag,
  limit: {
    hint: 'N',
    about: {
      en: `maximum number of rows; by default all, on a terminal ${SHOWN_ROWS}`,
      ko: `최대 행 수. 기본값은 전부, 터미널에서는 ${SHOWN_ROWS}`,
    },
  },
  ...paramFlag,
  ...outputFlag,
};

export interface QueryOptions {
  readonly text: string;
  /** The parameters, as JSON. */
  readonly params: string;
  /** `json-single` is the one object of the service. */
  readonly format: (typeof FORMATS)[number] | 'json-single';
  readonly limit: number;
  /** A file; standard output when absent. */
  readonly output?: string | undefined;
}

export function queryOptionsOf({
  words,
  flags,
  lists,
  streams,
}: Pick<Invocation, 'words' | 'flags' | 'lists' | 'streams'>): QueryOptions {
  const { output } = flags;
  const isOnTerminal = output === undefined && streams.stdout.isTTY === true;
  const format = formatOf(flags, isOnTerminal);
  const most = format === 'table' && isOnTerminal ? SHOWN_ROWS : Number.MAX_SAFE_INTEGER;
  const limit = flags.limit === undefined ? most : limitOf(flags.limit);
  return { text: words[0] ?? '', params: JSON.stringify(paramsOf(lists.param ?? [])), format, limit, output };
}

function formatOf({ format, json, output }: Invocation['flags'], isOnTerminal: boolean): QueryOptions['format'] {
  if (json && format !== undefined) throw new UsageError('query-two-formats');
  if (json) return 'json-single';
  if (format === undefined) return isOnTerminal ? 'table' : output?.toLowerCase().endsWith('.csv') ? 'csv' : 'json';
  const known = FORMATS.find((name) => name === format);
  if (known === undefined) {
    throw new UsageError('setting-not-one-of', { name: '--format', values: FORMATS.join(', '), text: format });
  }
  return known;
}

function limitOf(text: string): number {
  const limit = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(limit)) return limit;
  const most = String(Number.MAX_SAFE_INTEGER);
  throw new UsageError('setting-not-a-number', { name: '--limit', least: '0', most, text });
}

function paramsOf(given: readonly string[]): object {
  const params = new Map<string, unknown>();
  for (const text of given) {
    const [, name, value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined) throw new UsageError('query-param-wrong', { text });
    if (params.has(name)) throw new UsageError('flag-twice', { name: `param ${name}` });
    params.set(name, jsonOrText(value));
  }
  return Object.fromEntries(params);
}

function jsonOrText(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return text;
  }
}
