// The six formats of rows, byte for byte where the reference fixes the bytes.

import { describe, expect, it } from 'vitest';
import { ask, finished, openCursor, rowsFrom } from '#test/support/queries.ts';
import type { Reply } from '#test/support/service.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';

const Q = [
  `json "[{s:'a,b',n:9223372036854775807,d:0.5,b:true,l:[1,'x'],m:{k:'v'}},`,
  `{s:'say \\"hi\\"',n:-1,z:null},{s:'<b>&amp;</b>',d:1e21}]"`,
  ' | eval t = date("2024-02-29 12:00:00+0900")',
].join('');

const JSON_LINES = [
  '{"s":"a,b","n":9223372036854775807,"d":0.5,"b":true,"l":[1,"x"],"m":{"k":"v"},"t":"2024-02-29 03:00:00+0000"}',
  '{"s":"say \\"hi\\"","n":-1,"t":"2024-02-29 03:00:00+0000"}',
  '{"s":"<b>&amp;</b>","d":1e+21,"t":"2024-02-29 03:00:00+0000"}',
];
const COLUMNS = ['s', 'n', 'd', 'b', 'l', 'm', 'z', 't'];
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  txt: 'text/plain',
  xml: 'application/xml',
  csv: 'text/csv',
  json: 'application/x-ndjson',
  'json-single': 'application/json',
};
const typeOf = ({ headers }: Reply) => (headers.get('content-type') ?? '').split(';')[0]?.trim();
const WEIRD = 'json "[{}]" | eval a = "tab\\there", b = "line\\nbreak\\\\", c = "한글 😀", d = "cr\\rhere", e = ""';

describe.each(['GET /query', 'GET /cursors/:id'])('Rows of %s', (way) => {
  const subject = serviceFor();
  const get = async (q: string, parameters: Record<string, string> = {}, headers: Record<string, string> = {}) => {
    if (way === 'GET /query') return await ask(subject, { q, ...parameters }, { headers });
    const id = await openCursor(subject, q);
    await finished(subject, id);
    return await rowsFrom(subject, id, String(new URLSearchParams(parameters)), { headers });
  };

  it.each(Object.entries(TYPES))('have their content type: %s', async (format, type) => {
    const answer = await get(Q, { format });
    expect([answer.status, typeOf(answer)]).toEqual([200, type]);
  });

  it('are one object per line in json, which is the default', async () => {
    expect((await get(Q, { format: 'json' })).text).toBe(`${JSON_LINES.join('\n')}\n`);
    expect((await get(Q)).text).toBe(`${JSON_LINES.join('\n')}\n`);
    expect((await get('json "[]"')).text).toBe('');
  });

  it('are one object in json-single, with 64-bit integers as numbers', async () => {
    const answer = await get(Q, { format: 'json-single' });
    expect(answer.text).toContain('9223372036854775807');
    expect(answer.text).not.toContain('"9223372036854775807"');
    expect(Object.keys(answer.json)).toEqual(['rows', 'total', 'field_order', 'field_types']);
    expect(answer.json).toMatchObject({ total: 3, field_order: COLUMNS });
    expect(answer.json.rows).toEqual(JSON_LINES.map((line) => JSON.parse(line)));
    expect(answer.json.field_types).toMatchObject({ s: 'string', t: 'date' });
    const empty = (await get('json "[]"', { format: 'json-single' })).json;
    expect(empty).toEqual({ rows: [], total: 0, field_order: [], field_types: {} });
  });

  it('count all rows in the total of json-single, not those of the page', async () => {
    const { json } = await get(Q, { format: 'json-single', offset: '1', limit: '1', fields: 'n,s' });
    expect(json).toMatchObject({ total: 3, field_order: ['n', 's'], rows: [{ n: -1, s: 'say "hi"' }] });
  });

  it('are quoted after RFC 4180 in csv, under a header', async () => {
    const { text } = await get(Q, { format: 'csv' });
    expect(text).toBe(
      [
        's,n,d,b,l,m,z,t',
        '"a,b",9223372036854775807,0.5,true,"[1,""x""]","{""k"":""v""}",,2024-02-29 03:00:00+0000',
        '"say ""hi""",-1,,,,,,2024-02-29 03:00:00+0000',
        '<b>&amp;</b>,,1e+21,,,,,2024-02-29 03:00:00+0000',
        '',
      ].join('\r\n'),
    );
    const weird = (await get(WEIRD, { format: 'csv', fields: 'b,d,c' })).text;
    expect(weird).toContain('"line\nbreak\\"');
    expect(weird).toContain('"cr\rhere"');
    const named = await get('json "[{}]" | eval field("a,b") = 1, field("say \\"x\\"") = 2', { format: 'csv' });
    expect(named.text).toBe('"a,b","say ""x"""\r\n1,2\r\n');
    const empty = await get('json "[{a:1,b:2}]" | drop', { format: 'csv' });
    expect(empty.text).toBe('a,b\r\n');
  });

  it('are one line each in txt, with tabs, line feeds and backslashes escaped', async () => {
    const { text } = await get(WEIRD, { format: 'txt', fields: 'a,b,c' });
    expect(text).toBe('a=tab\\there\tb=line\\nbreak\\\\\tc=한글 😀\n');
    const [first] = (await get(Q, { format: 'txt', fields: 'n,s,t' })).text.split('\n');
    expect(first).toBe('n=9223372036854775807\ts=a,b\tt=2024-02-29 03:00:00+0000');
    const names = (await get('json "[{}]" | eval field("a\\tb") = 1', { format: 'txt' })).text;
    expect(names).toBe('a\\tb=1\n');
  });

  it('are fields of rows in xml, null being no element, everything escaped', async () => {
    const { text } = await get(Q, { format: 'xml', fields: 's,n,z' });
    const body = text
      .replace(/^<\?xml[^>]*\?>/, '')
      .replaceAll(/>\s+</g, '><')
      .trim();
    expect(body).toBe(
      [
        '<rows><row><field name="s" type="string">a,b</field><field name="n" type="long">9223372036854775807</field></row>',
        '<row><field name="s" type="string">say "hi"</field><field name="n" type="long">-1</field></row>',
        '<row><field name="s" type="string">&lt;b&gt;&amp;amp;&lt;/b&gt;</field></row></rows>',
      ]
        .join('')
        .replaceAll('say "hi"', body.includes('say &quot;hi&quot;') ? 'say &quot;hi&quot;' : 'say "hi"'),
    );
    const named = (await get('json "[{}]" | eval field("<\\"&") = 1', { format: 'xml' })).text;
    expect(named).toContain('<field name="&lt;&quot;&amp;" type="long">1</field>');
    const none = (await get('json "[]"', { format: 'xml' })).text.replace(/^<\?xml[^>]*\?>\s*/, '').trim();
    expect(none).toMatch(/^<rows\s*\/>$|^<rows>\s*<\/rows>$/);
  });

  it('hold no character in xml that xml does not have', async () => {
    const q = 'json "[{a:\'\\\\u0000x\\\\u0001y\\\\u001f\\\\ufffe\'}]"';
    const { status, text } = await get(q, { format: 'xml' });
    expect(status).toBe(200);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    expect(text).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|&#x?0*(0|1|x1f);/i);
  });

  it('are one page with one table in html, everything escaped', async () => {
    const hostile = 'json "[{}]" | eval field("<i>x") = "<script>alert(1)</script>", b = "\\"\'&"';
    const { text } = await get(hostile, { format: 'html' });
    expect(text.match(/<table\b/g)).toHaveLength(1);
    expect(text.match(/<\/table>/g)).toHaveLength(1);
    expect(text).toMatch(/^<!doctype html>/i);
    expect(text.trimEnd()).toMatch(/<\/html>$/i);
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).toContain('&lt;i&gt;x');
    expect(text).not.toMatch(/<script|<i>x/);
    const rows = (await get(Q, { format: 'html' })).text;
    expect(rows.match(/<tr\b/g)).toHaveLength(4);
  });

  it('are html by default for whoever prefers that', async () => {
    const accepted: readonly [accept: string, type: string][] = [
      ['text/html', 'text/html'],
      ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
      ['*/*', 'application/x-ndjson'],
      ['application/json', 'application/x-ndjson'],
      ['application/json, text/html;q=0.5', 'application/x-ndjson'],
      ['text/html;q=0, */*', 'application/x-ndjson'],
    ];
    for (const [accept, type] of accepted) {
      expect([accept, typeOf(await get(Q, {}, { accept }))]).toEqual([accept, type]);
    }
    expect(typeOf(await get(Q, { format: 'csv' }, { accept: 'text/html' }))).toBe('text/csv');
  });

  it('are many thousands in every format', async () => {
    const q = 'json "[{a:\'x\'}]" | repeat count=30000 | eval n = seq()';
    const ends: Readonly<Record<string, RegExp>> = {
      json: /"n":30000\}\n$/,
      'json-single': /"n":30000\}/,
      csv: /\nx,30000\r?\n$/,
      txt: /\na=x\tn=30000\n$/,
      xml: />30000<\/field>\s*<\/row>\s*<\/rows>\s*$/,
      html: />30000</,
    };
    for (const [format, end] of Object.entries(ends)) {
      const { status, text } = await get(q, { format, limit: '40000' });
      expect([format, status, end.test(text)]).toEqual([format, 200, true]);
    }
  });

  it('are refused in another format', async () => {
    const message = 'format should be one of html, txt, xml, csv, json or json-single.';
    for (const format of ['yaml', 'CSV', 'json,csv', 'json ']) {
      expect(outcome(await get(Q, { format }))).toEqual(refused(400, 'invalid-argument', message));
    }
  });
});
