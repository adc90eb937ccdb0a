import { describe, expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';

const COMPANIES = '/api/core/companies';
const USERS = '/api/core/users';
const FORM = 'application/x-www-form-urlencoded';
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const ELSEWHERE = '11111111-0000-4000-8000-000000000000';
const MALFORMED_BODY = refused(400, 'invalid-argument', 'malformed request body');
const MALFORMED = refused(400, 'invalid-argument', 'malformed request');
const NO_NAME = refused(400, 'null-argument', 'name should be not null');
const twice = (name: string) => refused(400, 'invalid-argument', `'${name}' is given twice.`);
const notFound = (...ids: string[]) => [
  200,
  { failures: ids.map((id) => ({ id, reason: 'user-not-found' })), references: [] },
];

/** Depth 1 is the object itself. */
const nested = (depth: number) => `{"name":"deep ${depth}","x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

const BODIES: readonly [
  sentence: string,
  type: string,
  body: string | Uint8Array,
  answer: readonly [number, unknown],
][] = [
  ['JSON that is cut off', 'application/json', '{"name":"x"', MALFORMED_BODY],
  ['JSON with something after it', 'application/json', '{"name":"x"} x', MALFORMED_BODY],
  ['two JSON objects', 'application/json', '{"name":"x"}{"name":"y"}', MALFORMED_BODY],
  ['JSON with a comma too many', 'application/json', '{"name":"x",}', MALFORMED_BODY],
  ['JSON with single quotes', 'application/json', "{'name':'x'}", MALFORMED_BODY],
  ['a JSON array', 'application/json', '[{"name":"x"}]', MALFORMED_BODY],
  ['JSON null', 'application/json', 'null', MALFORMED_BODY],
  ['a JSON text', 'application/json', '"name"', MALFORMED_BODY],
  ['a JSON number', 'application/json', '1', MALFORMED_BODY],
  ['JSON true', 'application/json', 'true', MALFORMED_BODY],
  ['a form called JSON', 'application/json', 'name=x', MALFORMED_BODY],
  ['JSON that is not UTF-8', 'application/json', Buffer.from('7b226e616d65223a22ff227d', 'hex'), MALFORMED_BODY],
  ['JSON in UTF-16', 'application/json', Buffer.from('{"name":"x"}', 'utf16le'), MALFORMED_BODY],
  ['JSON with a lone surrogate in a value', 'application/json', '{"name":"\\ud800"}', MALFORMED_BODY],
  ['JSON with a lone low surrogate', 'application/json', '{"name":"x\\uDC00y"}', MALFORMED_BODY],
  ['JSON with a lone surrogate in a key', 'application/json', '{"name":"x","\\ud800":1}', MALFORMED_BODY],
  ['JSON with a lone surrogate deep inside', 'application/json', '{"name":"x","y":[{"z":"\\ud800"}]}', MALFORMED_BODY],
  ['JSON with NUL in a value', 'application/json', '{"name":"a\\u0000b"}', MALFORMED_BODY],
  ['JSON with NUL in a key', 'application/json', '{"name":"x","\\u0000":1}', MALFORMED_BODY],
  ['JSON with a raw line break in a text', 'application/json', '{"name":"a\nb"}', MALFORMED_BODY],
  ['JSON 101 deep', 'application/json', nested(101), MALFORMED_BODY],
  ['JSON 100,000 deep', 'application/json', nested(100_000), MALFORMED_BODY],
  ['JSON that only opens', 'application/json', '['.repeat(1_000_000), MALFORMED_BODY],
  ['JSON with objects 101 deep', 'application/json', `${'{"a":'.repeat(101)}1${'}'.repeat(101)}`, MALFORMED_BODY],
  ['a name given twice in JSON', 'application/json', '{"name":"a","name":"b"}', twice('name')],
  ['a name given twice in JSON in two spellings', 'application/json', '{"name":"a","n\\u0061me":"b"}', twice('name')],
  ['a form with a broken escape', FORM, 'name=%zz', MALFORMED_BODY],
  ['a form with half an escape', FORM, 'name=x%4', MALFORMED_BODY],
  ['a form with a percent sign at the end', FORM, 'name=100%', MALFORMED_BODY],
  ['a form whose escapes are not UTF-8', FORM, 'name=%ff', MALFORMED_BODY],
  ['a form with a surrogate in its escapes', FORM, 'name=%ED%A0%80', MALFORMED_BODY],
  ['a form with an overlong escape', FORM, 'name=%C0%80', MALFORMED_BODY],
  ['a form with NUL', FORM, 'name=a%00b', MALFORMED_BODY],
  ['a form with a raw NUL', FORM, 'name=a\0b', MALFORMED_BODY],
  ['a form with a broken escape in another name', FORM, 'name=x&%zz=1', MALFORMED_BODY],
  ['a form that is not UTF-8', FORM, Buffer.from('6e616d653dff', 'hex'), MALFORMED_BODY],
  ['a name given twice in a form', FORM, 'name=a&name=b', twice('name')],
  ['a name given twice, once empty', FORM, 'name=a&name=', twice('name')],
  ['a name given twice in a form in two spellings', FORM, 'name=a&n%61me=b', twice('name')],
  ['an empty name', FORM, 'name=', NO_NAME],
  ['a name without a value', FORM, 'name', NO_NAME],
  ['a name of blanks', FORM, 'name=++%09+', NO_NAME],
  ['a name of blanks in JSON', 'application/json', '{"name":" \\u3000 "}', NO_NAME],
  ['JSON null for a name', 'application/json', '{"name":null}', NO_NAME],
  ['an empty JSON text for a name', 'application/json', '{"name":""}', NO_NAME],
  ['an empty JSON object', 'application/json', '{}', NO_NAME],
  ['names in another case', FORM, 'Name=x&NAME=y', NO_NAME],
  [
    'only names of the language',
    'application/json',
    '{"__proto__":{"name":"x"},"constructor":1,"toString":2}',
    NO_NAME,
  ],
  ['only names of the language in a form', FORM, '__proto__=x&constructor=1&toString=2', NO_NAME],
];

describe('A body is refused', () => {
  const { call } = serviceFor();

  it.each(BODIES)('%s', async (_, type, body, answer) => {
    const reply = await call('POST', COMPANIES, { body, headers: { 'content-type': type } });
    expect(outcome(reply)).toEqual(answer);
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('and nothing of it is kept', async () => {
    expect((await call('GET', COMPANIES)).json.total_count).toBe(1);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

const ACCEPTED: readonly [type: string, body: string, name: string, description?: string][] = [
  [FORM, 'name=a+b%2B%20c&description=%EC%95%88%eb%9e%a9', 'a b+ c', '안랩'],
  [`${FORM}; charset=utf-8`, 'name=charset', 'charset'],
  [`${FORM};charset=UTF-8`, 'name=CHARSET', 'CHARSET'],
  ['Application/X-WWW-Form-Urlencoded', 'name=case', 'case'],
  [FORM, '&&name=ampersands&&=&=x&', 'ampersands'],
  [FORM, 'name=a=b=c', 'a=b=c'],
  [FORM, 'name=raw 안 ; text', 'raw 안 ; text'],
  [FORM, 'name=%F0%9F%98%80', '😀'],
  [FORM, 'name=null', 'null'],
  [FORM, '__proto__=1&__proto__=2&name=repeated unknown names', 'repeated unknown names'],
  ['application/json', '{"name":"json"}', 'json'],
  ['application/json; charset=utf-8', ' \n\t{ "name" : "blanks" }\r\n ', 'blanks'],
  ['APPLICATION/JSON', '{"name":"upper"}', 'upper'],
  ['application/json', '{"n\\u0061me":"\\ud83d\\ude00 escaped \\"}{,:["}', '😀 escaped "}{,:['],
  [FORM, 'name=+blanks around+%09', 'blanks around'],
  ['application/json', '{"name":"e\\u0301 \\u1112\\u1161\\u11ab"}', '\u00e9 \ud55c'],
  ['application/json', '{"name":"\\\\u0000 is no NUL"}', '\\u0000 is no NUL'],
  ['application/json', '{"description":null,"name":"null description"}', 'null description'],
  ['application/json', '{"name":"unknown","x":1,"x":2,"__proto__":{"a":1},"constructor":null,"":0}', 'unknown'],
  ['application/json', nested(100), 'deep 100'],
  ['application/json', `{"name":"brackets in text","x":"${'['.repeat(500)}"}`, 'brackets in text'],
];

describe('A value of a shape that no parameter has', () => {
  const { call } = serviceFor();
  const MINIMAL = { login: 'shaped', name: 'x', role: 'MEMBER' };
  const NAMES = [
    'login',
    'name',
    'role',
    'locale',
    'guid',
    'company_guid',
    'user_group_guids',
    'trust_hosts',
    'idle_timeout',
  ];
  const SHAPES: unknown[] = [
    { a: 1 },
    { toString: 1, valueOf: 1 },
    [{ toString: 1 }],
    [[[]]],
    [null, 1],
    1.5,
    true,
    false,
    [true],
  ];

  it.each(NAMES)('is refused for %s, and never a defect', async (name) => {
    for (const shape of SHAPES) {
      const { status, json } = await call('POST', USERS, { json: { ...MINIMAL, [name]: shape } });
      expect([JSON.stringify(shape), status, json]).toMatchObject([
        JSON.stringify(shape),
        400,
        { error_msg: expect.any(String) },
      ]);
    }
  });
});

describe('A body is read', () => {
  const { call } = serviceFor();

  it.each(ACCEPTED)('%s: %j', async (type, body, name, description) => {
    const made = await call('POST', COMPANIES, { body, headers: { 'content-type': type } });
    expect(made.status).toBe(200);
    const { company } = (await call('GET', `${COMPANIES}/${made.json.guid}`)).json;
    expect([company.name, company.description]).toEqual([name, description]);
  });

  it('and text comes back in the form it was sent, letter by letter', async () => {
    const description = ' e\u0301 é \u1112\u1161\u11ab 한 \u200d\ufeff\u2028\t"\\/ ';
    const guid = await created({ call }, COMPANIES, { name: 'letters', description });
    expect((await call('GET', `${COMPANIES}/${guid}`)).json.company.description).toBe(description);
  });

  it('from POST and PUT alone: the query string has no say', async () => {
    expect(outcome(await call('POST', `${COMPANIES}?name=query`))).toEqual(NO_NAME);
    expect(outcome(await call('PUT', `${COMPANIES}/${NOWHERE}?name=query`))).toEqual(NO_NAME);
    const twiceThere = await call('POST', `${COMPANIES}?name=a&name=b`, { form: { name: 'body' } });
    expect(twiceThere.status).toBe(200);
  });

  it('not at all by GET', async () => {
    const query = `keywords=default&x=1`;
    expect((await call('GET', `${COMPANIES}?${query}`)).json.total_count).toBe(1);
  });
});

const REMOVALS: readonly [sentence: string, query: string, body: object | undefined, answer: unknown][] = [
  ['in the query string', `?guids=${NOWHERE}`, undefined, notFound(NOWHERE)],
  ['in the body', '', { guids: NOWHERE }, notFound(NOWHERE)],
  ['in both: the body wins', `?guids=${NOWHERE}`, { guids: ELSEWHERE }, notFound(ELSEWHERE)],
  ['one here, one there', '?dry_run=true', { guids: NOWHERE }, notFound(NOWHERE)],
  ['of which the body wins though the other is wrong', '?guids=x', { guids: NOWHERE }, notFound(NOWHERE)],
  ['separated by commas', `?guids=%20${NOWHERE}%20,%20,,${ELSEWHERE},`, undefined, notFound(NOWHERE, ELSEWHERE)],
  ['repeated', `?guids=${NOWHERE}&guids=${ELSEWHERE}`, undefined, notFound(NOWHERE, ELSEWHERE)],
  [
    'repeated and separated',
    `?guids=${NOWHERE}&guids=,&guids=${ELSEWHERE},${NOWHERE}`,
    undefined,
    notFound(NOWHERE, ELSEWHERE),
  ],
  ['as an array', '', { guids: [NOWHERE, '', null, ` ${ELSEWHERE} `] }, notFound(NOWHERE, ELSEWHERE)],
  ['as an empty array', '', { guids: [] }, refused(400, 'null-argument', 'guids should be not null')],
  [
    'as an array of something else',
    '',
    { guids: [1] },
    refused(400, 'invalid-param-type', 'guids should be guid type.'),
  ],
  ['as an object', '', { guids: { a: 1 } }, refused(400, 'invalid-param-type', 'guids should be guid type.')],
  ['as a number', '', { guids: 5 }, refused(400, 'invalid-param-type', 'guids should be guid type.')],
  ['with a real boolean', '', { guids: NOWHERE, dry_run: false }, notFound(NOWHERE)],
  ['with a boolean as text', '', { guids: NOWHERE, dry_run: 'false' }, notFound(NOWHERE)],
  ['with a boolean in any case', '', { guids: NOWHERE, dry_run: 'FaLSE' }, notFound(NOWHERE)],
  ['with a boolean in any case in the query string', `?guids=${NOWHERE}&dry_run=TRUE`, undefined, notFound(NOWHERE)],
  ['with no boolean', '', { guids: NOWHERE, dry_run: null }, notFound(NOWHERE)],
  ['with an empty boolean', `?guids=${NOWHERE}&dry_run=`, undefined, notFound(NOWHERE)],
  [
    'with a number for a boolean',
    '',
    { guids: NOWHERE, dry_run: 1 },
    refused(400, 'invalid-param-type', 'dry_run should be boolean type'),
  ],
  ['with a boolean twice', `?guids=${NOWHERE}&dry_run=true&dry_run=true`, undefined, twice('dry_run')],
  ['in a query string with a broken escape', '?guids=%zz', undefined, MALFORMED],
  ['in a query string that is not UTF-8', '?guids=%ff', undefined, MALFORMED],
  ['in a query string with NUL', '?guids=%00', undefined, MALFORMED],
  ['in a query string with a surrogate', '?guids=%ed%a0%80', undefined, MALFORMED],
  ['in a query string with a broken name', `?guids=${NOWHERE}&%ff=1`, undefined, MALFORMED],
];

describe('Parameters of DELETE are taken', () => {
  const { call } = serviceFor();

  it.each(REMOVALS)('%s', async (_, query, json, answer) => {
    const options = json === undefined ? {} : { json };
    expect(outcome(await call('DELETE', `${USERS}${query}`, options))).toEqual(answer);
  });
});
