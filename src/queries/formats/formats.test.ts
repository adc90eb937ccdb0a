import { describe, expect, it } from 'vitest';
import { column, contextOf, MIXED, OVERFLOW, type Result, TYPES, written } from '#test/support/formats.ts';
import { contentTypeOf, FORMATS, type Format, headersOf, renderRows } from './index.ts';

const BACKSLASH = '\\';

describe('A result as csv', () => {
  it.each<[string, Result, string[]]>([
    [
      'has a header, quotes where they are needed, and nothing for null',
      TYPES,
      [
        '_time,n,x,ok,s,l,m,b',
        `2024-03-01 09:00:00+0900,9223372036854775807,6,true,"a\t""b"",\n<c>&${BACKSLASH}","[1,2.5,""1970-01-01 09:00:00+0900""]","{""z"":null,""10"":1,""9"":""AQI=""}",AQI=`,
        ',,,,,,,',
        '1970-01-01 09:00:00+0900,-9223372036854775808,1e-7,false,"",[],{},""',
      ],
    ],
    ['has a column for everything that overflows have', OVERFLOW, ['a,b,B,z,é', '1,x,,q,1', ',y,,,', '3,,true,[1],']],
    ['has the wanted fields', { ...OVERFLOW, fields: ['é', 'b', 'gone'] }, ['é,b,gone', '1,x,', ',y,', ',,']],
    ['does not lose a row of one null', { columns: [column('a')], rows: ['[null]', '[1]'] }, ['a', '""', '1']],
    ['quotes names', { columns: [column('a,"b"\r\n')], rows: [] }, ['"a,""b""\r\n"']],
  ])('%s', async (_, result, lines) => {
    expect(await written('csv', result)).toBe(lines.map((line) => `${line}\r\n`).join(''));
  });
});

describe('A result as txt', () => {
  it.each<[string, Result, string[]]>([
    [
      'has pairs between tabs, without what is null',
      TYPES,
      [
        String.raw`_time=2024-03-01 09:00:00+0900	n=9223372036854775807	x=6	ok=true	s=a\t"b",\n<c>&\\	l=[1,2.5,"1970-01-01 09:00:00+0900"]	m={"z":null,"10":1,"9":"AQI="}	b=AQI=`,
        '',
        '_time=1970-01-01 09:00:00+0900\tn=-9223372036854775808\tx=1e-7\tok=false\ts=\tl=[]\tm={}\tb=',
      ],
    ],
    ['has what overflows have', OVERFLOW, ['a=1\tb=x\tz=q\té=1', 'b=y', 'a=3\tB=true\tz=[1]']],
    ['marks the equals sign in names', { columns: [column('a=\t\n')], rows: ['["b=c"]'] }, ['a\\=\\t\\n=b=c']],
  ])('%s', async (_, result, lines) => {
    expect(await written('txt', result)).toBe(lines.map((line) => `${line}\n`).join(''));
  });
});

describe('A result as xml', () => {
  it.each<[string, Result, string[]]>([
    [
      'has an element for each value, with its type',
      { columns: [column('s', 'string'), column('n', 'long')], rows: ['["a<b>&\\"\'\\r\\n\\t]]>",5]', '[null,null]'] },
      [
        '<row><field name="s" type="string">a&lt;b&gt;&amp;&quot;&#39;&#13;\n\t]]&gt;</field><field name="n" type="long">5</field></row>',
        '<row></row>',
      ],
    ],
    [
      'has the types of values where the plan knows none',
      MIXED,
      [
        '<row><field name="v" type="long">1</field></row>',
        '<row><field name="v" type="double">1</field><field name="w" type="long">2</field></row>',
        '<row><field name="v" type="string">1</field></row>',
        '<row><field name="v" type="date">1970-01-01 00:00:00+0000</field><field name="w" type="long">3</field></row>',
        '<row><field name="v" type="binary">AQI=</field></row>',
        '<row><field name="v" type="list">[]</field></row>',
        '<row><field name="v" type="map">{}</field></row>',
      ],
    ],
    [
      'escapes what XML cannot hold, and says so',
      {
        columns: [column('a'), column('n"\t\n\u0001\\')],
        rows: ['["\\u0000\\u001b[0m\\\\\\ud800\\ufffe<",null]', '[null,"\\\\"]', '["\\\\ \\u007f\u{1f600}",null]'],
      },
      [
        String.raw`<row><field name="a" type="string" escaped="true">\u0000\u001b[0m\\\ud800\ufffe&lt;</field></row>`,
        String.raw`<row><field name="n&quot;&#9;&#10;\u0001\\" type="string" escaped="true">\\</field></row>`,
        '<row><field name="a" type="string">\\ \u007f\u{1f600}</field></row>',
      ],
    ],
    ['is a document without rows, too', { rows: [] }, []],
  ])('%s', async (_, result, lines) => {
    const body = lines.map((line) => `${line}\n`).join('');
    expect(await written('xml', result)).toBe(`<?xml version="1.0" encoding="UTF-8"?>\n<rows>\n${body}</rows>\n`);
  });
});

describe('A result as html', () => {
  it('is one page with one table', async () => {
    const page = await written('html', { ...OVERFLOW, columns: [column('a', 'long'), column('<b>', 'string')] });
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n/);
    expect(page).toMatch(/<\/tbody>\n<\/table>\n<\/body>\n<\/html>\n$/);
    expect(page.match(/<table>[\s\S]*<\/table>/)?.[0]).toBe(
      [
        '<table>',
        '<thead><tr><th scope="col">a</th><th scope="col">&lt;b&gt;</th><th scope="col">B</th><th scope="col">z</th><th scope="col">é</th></tr></thead>',
        '<tbody>',
        '<tr><td class="number">1</td><td>x</td><td></td><td>q</td><td class="number">1</td></tr>',
        '<tr><td></td><td>y</td><td></td><td></td><td></td></tr>',
        '<tr><td class="number">3</td><td></td><td>true</td><td>[1]</td><td></td></tr>',
        '</tbody>',
        '</table>',
      ].join('\n'),
    );
  });

  it('escapes everything', async () => {
    const hostile = `</td><script>alert("1")</script>&amp;'\\u0000\\ud800`.replaceAll('"', '\\"');
    const page = await written('html', { columns: [column('<img src=x>')], rows: [`["${hostile}"]`] });
    expect(page).toContain('<th scope="col">&lt;img src=x&gt;</th>');
    expect(page).toContain(
      '<td>&lt;/td&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;amp;&#39;\ufffd\ufffd</td>',
    );
  });

  it('may do nothing in a browser but use its own style', () => {
    expect(headersOf('html')['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^']+';/);
  });
});

describe('Every format', () => {
  it.each<[Format, string]>([
    ['html', 'text/html; charset=utf-8'],
    ['txt', 'text/plain; charset=utf-8'],
    ['xml', 'application/xml; charset=utf-8'],
    ['csv', 'text/csv; charset=utf-8'],
    ['json', 'application/x-ndjson'],
    ['json-single', 'application/json; charset=utf-8'],
  ])('%s is sent as %s', (format, type) => {
    expect(contentTypeOf(format)).toBe(type);
    expect(headersOf(format)['content-type']).toBe(type);
  });

  it.each(FORMATS)('%s comes in chunks, with a turn of the event loop between them', async (format) => {
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const rows = Array.from({ length: 2000 }, (_, n) => `[${n},{"k":1}]`);
    const context = contextOf({ columns: [column('n', 'long')], hasOverflow: true });
    const blocks = (async function* () {
      yield rows;
    })();
    let chunks = 0;
    for await (const chunk of renderRows(format, blocks, context)) chunks += Number(chunk !== '');
    isOver = true;
    expect(chunks).toBeGreaterThanOrEqual(8);
    expect(turns).toBeGreaterThanOrEqual(8);
  });

  it.each(FORMATS)('%s stops the reading when nobody wants more', async (format) => {
    let isClosed = false;
    const endless = (async function* () {
      try {
        for (;;) yield ['[1]'];
      } finally {
        isClosed = true;
      }
    })();
    // The first row has been read before anything is written.
    const first = await endless.next();
    expect(first.done).toBe(false);
    const chunks = renderRows(format, endless, contextOf({ columns: [column('n')] }));
    await chunks.next();
    await chunks.return(undefined);
    expect(isClosed).toBe(true);
  });
});
