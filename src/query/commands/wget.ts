import {
  about,
  anyValue,
  charset,
  durationOrSeconds,
  type OptionText,
  oneOf,
  orElse,
  text,
} from '#query/language/option-readers.ts';
import type { RawOption } from '#query/language/options.ts';
import type { Name } from '#query/language/words.ts';
import { withColumns } from '#query/model/columns.ts';
import type { Expression, Span } from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';
import { suggestionsFor } from '#query/model/suggestions.ts';
import { type MapValue, typeOf, type Value } from '#query/model/values.ts';
import type { KnownPlanNode } from '#query/plan-nodes/kinds.ts';

import { BODY_FORMATS, READING_METHODS, WEB_METHODS, type WebMethod, type WebTarget } from '#query/plan-nodes/wget.ts';
import { command } from '#query/planning/command.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';
import type { Charset } from '#query/values/text/charsets.ts';
import { timeoutOf } from './shared/database.ts';
import { OPTION_SUMMARIES } from './shared/option-summaries.ts';

const OPTIONS = {
  url: about(text, { en: 'Address of the request.', ko: '요청 주소입니다.' }),
  profile: about(text, { en: 'Connection profile.', ko: '접속 프로파일입니다.' }),
  path: about(text, {
    en: 'Path behind the base url of the profile.',
    ko: '프로파일의 기본 url 뒤에 붙는 경로입니다.',
  }),
  method: about(orElse<WebMethod>('get', oneOf(WEB_METHODS)), {
    en: 'Method of the request.',
    ko: '요청 메서드입니다.',
  }),
  header: about(anyValue, { en: 'Headers of the request, as a map.', ko: '요청 헤더의 맵입니다.' }),
  body: about(anyValue, { en: 'Body of the request.', ko: '요청 본문입니다.' }),
  format: about(orElse<(typeof BODY_FORMATS)[number]>('text', oneOf(BODY_FORMATS)), {
    en: 'Format of the content.',
    ko: '내용의 형식입니다.',
  }),
  timeout: about(orElse({ count: 10, unit: 's' as const }, durationOrSeconds), OPTION_SUMMARIES.timeout),
  encoding: about(orElse<Charset>('utf-8', charset), { en: 'Encoding of the answer.', ko: '응답의 인코딩입니다.' }),
} as const;

const MAX_TIMEOUT_MS = 60_000;

interface Written {
  readonly url: RawOption<string> | undefined;
  readonly profile: RawOption<string> | undefined;
  readonly path: RawOption<string> | undefined;
  readonly header: RawOption<Value> | undefined;
  readonly body: RawOption<Value> | undefined;
  readonly method: RawOption<WebMethod> | undefined;
  readonly nameSpan: Span;
}

interface WebOptions {
  readonly url: string | undefined;
  readonly profile: string | undefined;
  readonly path: string | undefined;
  readonly method: WebMethod | undefined;
  readonly header: Value | undefined;
  readonly body: Value | undefined;
  readonly timeout: unknown;
}

type WebPlanning = CommandPlanning<WebOptions>;

export const wget = command({
  name: 'wget',
  class: 'processing',
  syntax:
    'wget [url=TEXT] [profile=NAME] [path=TEXT] [method=get] [header=VALUE] [body=VALUE] [format=text] [timeout=10s] [encoding=utf-8]',
  summary: {
    en: 'Sends a request to a host: as first command one, behind rows one for each row, and adds fields with the answer.',
    ko: '허용된 호스트에 요청해 응답을 행으로 읽거나 행에 더합니다.',
  },
  rules: [
    'Fields: `line` (text of the answer in the charset of its content type, else `encoding`), `_wget_code`, `_wget_headers` (a map, names in lower case) and `_wget_error`: null, or `host-not-allowed`, `address-not-allowed`, `header-not-allowed`, `redirect-refused`, `timeout`, `too-large`, `unreachable`, `tls` or `malformed-url`. A failed request never stops the query.',
    '`url` is http or https without a user part; behind rows, where it is left out, the field `url` counts. `profile` names a connection profile of the kind `http`, whose base url is completed by `path`, or behind rows by the field `path`; a path that leaves the base url is `malformed-url`. Its headers are sent, in place of others of the same names.',
    'Behind rows `header` and `body` are names of fields, or `$()`; at the beginning values: `header=$()` a map, `body` text or `$()`. `Authorization`, `Cookie` and headers with names of secrets come from a profile or from `$()` alone; `Host`, `Content-Length` and others of the connection are ignored. A map or list as body is JSON, with `format=form` a form; `format=json` and `form` set the content type unless the header has one.',
    'Hosts must be listed in the setting `outbound-hosts`, none by default (20701 for a url that is known when the query is checked). Loopback, link-local, private, multicast and metadata addresses behind a listed name are refused unless they are listed themselves. A name is resolved once, and the connection goes to the checked address.',
    'A redirect is followed, at most 5 times, only to the same scheme, host and port. No cookies are kept, no proxy of the environment is used. An answer takes at most 60 s and 16 MiB, or `timeout` and `max_bytes` of the profile where these are less; 4 requests of a query are sent at once, and a query sends at most 1,000 (93012).',
    'With `url` only for administrators (20702), with `profile` also for members with a grant on it; methods other than `get` and `head` need a profile that is `writable` and a grant for writing (30201). In a procedure its owner counts, and for `url`, `profile` and `path` from `$()` the caller too. Each run writes an audit entry with hosts, profile and number of requests (`query.request`).',
  ],
  errors: [10600, 20700, 20701, 20702, 30104, 30201, 90008, 93012],
  examples: [
    {
      answers: { 'https://api.example.com/a': { status: 200, text: '{"n":1}' } },
      query: 'wget url="https://api.example.com/a" | parsejson overlay=t | fields n, _wget_code, _wget_error',
      normalized: 'wget url=https://api.example.com/a | parsejson overlay=t | fields n, _wget_code, _wget_error',
      gives: [{ n: 1, _wget_code: 200, _wget_error: null }],
    },
    {
      answers: { 'https://api.example.com/b': { status: 404, text: 'no' } },
      query:
        "json \"[{url:'https://api.example.com/b'},{url:'http://127.0.0.1/'}]\" | wget | fields line, _wget_code, _wget_error",
      gives: [{ line: 'no', _wget_code: 404 }, { _wget_error: 'host-not-allowed' }],
    },
    {
      answers: { 'https://api.example.com/c': { status: 200, text: 'yes' } },
      query: 'wget profile=api path=c timeout=5 | fields line, _wget_code',
      normalized: 'wget profile=api path=c timeout=5s | fields line, _wget_code',
      gives: [{ line: 'yes', _wget_code: 200 }],
    },
    { query: 'wget url="http://10.0.0.1/"', refused: { code: 20701, begin: 9, end: 27 } },
  ],
  options: OPTIONS,
  mayBegin: true,
  read: (_words, { options: { url, profile, path, header, body, method }, nameSpan }): Written => ({
    url,
    profile,
    path,
    header,
    body,
    method,
    nameSpan,
  }),
  text: () => '',
  changes: ({ method }) => method !== undefined && 'value' in method && !READING_METHODS.includes(method.value),
  plan(written, planning) {
    const input = planning.pipeline.input ?? oneRow(planning);
    const isFirst = planning.pipeline.input === undefined;
    const { method = 'get', format = 'text', encoding = 'utf-8', timeout, header, body } = planning.options;
    const target = targetOf(written, isFirst, planning);
    const line = planning.newColumn('line', 'string');
    const code = planning.newColumn('_wget_code', 'long');
    const headers = planning.newColumn('_wget_headers', 'map');
    const error = planning.newColumn('_wget_error', 'string');
    const asked = {
      ...askedValue('header', written.header, header, { isFirst, planning }),
      ...askedValue('body', written.body, body, { isFirst, planning }),
    };
    const { timeoutMs = MAX_TIMEOUT_MS } = timeoutOf(timeout, planning);
    return {
      ...planning.planNode(withColumns(input.rows, [line, code, headers, error])),
      ...planning.account,
      ...asked,
      kind: 'wget',
      input,
      target,
      method,
      format,
      encoding,
      mayHoldSecrets: written.header !== undefined && 'parameter' in written.header,
      timeoutMs: Math.min(timeoutMs, MAX_TIMEOUT_MS),
      fields: { line: line.id, code: code.id, headers: headers.id, error: error.id },
    };
  },
});

/** The row that a request at the beginning of a query belongs to. */
function oneRow(planning: WebPlanning): KnownPlanNode {
  const sequence = planning.hiddenColumn();
  const rows = { columns: [], order: [{ column: sequence, descending: false }] };
  const values: readonly MapValue[] = [new Map()];
  return { ...planning.planNode(rows), kind: 'json', values, sequence };
}

function targetOf(written: Written, isFirst: boolean, planning: WebPlanning): WebTarget {
  const { url, profile, path, nameSpan } = written;
  if (profile && url) throw misplaced(url.at);
  if (profile) return profileTarget({ ...written, profile }, isFirst, planning);
  if (path) throw misplaced(path.at);
  if (!url && isFirst) throw new QueryError(20700, nameSpan);
  return { url: requestedUrl(url, nameSpan, planning) };
}

const misplaced = (at: OptionText): QueryError =>
  new QueryError(90008, at, {
    name: at.name,
    value: at.text,
    expected: at.name === 'url' ? 'url | profile' : 'profile path',
  });

function requestedUrl(written: RawOption<string> | undefined, nameSpan: Span, planning: WebPlanning): Expression {
  const { hosts, isCallerAdministrator = true } = planning.queryContext;
  const isFromCaller = written !== undefined && 'parameter' in written;
  if (!hosts || (isFromCaller && !isCallerAdministrator)) {
    throw new QueryError(20702, written?.at ?? nameSpan, { name: 'wget' });
  }
  if (!written) return planning.quietField('url');
  const { url } = planning.options;
  const parsed = url === undefined ? null : URL.parse(url);
  if (parsed && /^https?:$/.test(parsed.protocol) && !hosts.has(parsed.hostname, portOf(parsed))) {
    throw new QueryError(20701, written.at, { name: parsed.hostname });
  }
  return literal(url ?? null, written.at);
}

const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));

interface ProfileWritten extends Written {
  readonly profile: RawOption<string>;
}

function profileTarget({ profile, path, method }: ProfileWritten, isFirst: boolean, planning: WebPlanning): WebTarget {
  const { profiles, callerProfiles } = planning.queryContext;
  const { profile: name, path: writtenPath, method: way = 'get' } = planning.options;
  const { begin, end } = profile.at;
  const target = {
    profile: name ?? '',
    profileAt: { begin, end },
    ...(path ? { path: literal(writtenPath ?? null, path.at) } : isFirst ? {} : { path: planning.quietField('path') }),
  };
  if (planning.isPending('profile')) return target;
  const known = profiles?.get(target.profile);
  const isFromCaller = 'parameter' in profile || (path !== undefined && 'parameter' in path);
  const isUsable = known?.kind === 'http' && (!isFromCaller || !callerProfiles || callerProfiles.has(target.profile));
  if (!isUsable) {
    const suggestions = suggestionsFor(target.profile, (callerProfiles ?? profiles)?.keys() ?? []);
    throw new QueryError(10600, profile.at, { name: target.profile }, { suggestions });
  }
  if (!READING_METHODS.includes(way) && !known.mayWrite) {
    throw new QueryError(30201, method?.at ?? profile.at, { name: target.profile });
  }
  return target;
}

interface ValueSpan {
  readonly isFirst: boolean;
  readonly planning: WebPlanning;
}

/** A field of the row, a parameter, or at the beginning of a query a text; a header is a map. */
function askedValue(
  key: 'header' | 'body',
  written: RawOption<Value> | undefined,
  value: Value | undefined,
  { isFirst, planning }: ValueSpan,
): { readonly [K in typeof key]?: Expression } {
  if (!written) return {};
  const isText = !('parameter' in written);
  if (!isFirst && isText) return { [key]: planning.field(nameIn(written.at)) };
  const isWrong = key === 'header' && (isText || (value !== undefined && value !== null && !(value instanceof Map)));
  if (isWrong) throw new QueryError(90008, written.at, { name: key, value: written.at.text, expected: '$()' });
  return { [key]: literal(value ?? null, written.at) };
}

const nameIn = ({ text: name, begin, end }: OptionText): Name => ({ text: name.normalize(), begin, end });

const literal = (value: Value, { begin, end }: Span): Expression => ({
  kind: 'literal',
  type: typeOf(value),
  value,
  begin,
  end,
});
