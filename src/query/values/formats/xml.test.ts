import { describe, expect, it } from 'vitest';
import { readXml } from './xml.ts';
import { parsedXml } from './xml-fields.ts';
import { isLocationPath, xpath } from './xpath.ts';

describe('XML', () => {
  it.each([
    ['<e><id>7</id></e>', { id: '7' }],
    ['<?xml version="1.0"?>\n<!-- c --><e a="x"> <b/> </e>\n<!-- d -->', { b: '' }],
    ['\uFEFF<e><b>1</b><c>2</c><b>3</b></e>', { b: ['1', '3'], c: '2' }],
    ['<e><b k="v" l=\'w\'/></e>', { b: { k: 'v', l: 'w' } }],
    ['<e><b k="v">t<c/>u</b></e>', { b: { k: 'v', c: '', _text: 'tu' } }],
    ['<e><b k="v">  \n </b></e>', { b: { k: 'v' } }],
    ['<e><b k="attribute"><k>child</k></b></e>', { b: { k: 'attribute' } }],
    ['<e><b>&lt;&amp;&gt;&quot;&apos;&#65;&#x1F47E;</b></e>', { b: '<&>"\'A👾' }],
    ['<e><b>a<![CDATA[<x>&y;]]>b</b></e>', { b: 'a<x>&y;b' }],
    ['<e><b>line\r\nend\r</b></e>', { b: 'line\nend\n' }],
    ['<e><ns:b>x</ns:b><한글>값</한글></e>', { 'ns:b': 'x', 한글: '값' }],
    ['<e>text alone</e>', {}],
  ])('is taken apart: %s', (text, fields) => {
    const plain = (value: unknown): unknown =>
      value instanceof Map
        ? Object.fromEntries([...value].map(([key, item]) => [key, plain(item)]))
        : Array.isArray(value)
          ? value.map(plain)
          : value;
    expect(plain(parsedXml(text))).toEqual(fields);
  });

  it.each([
    '',
    ' ',
    'text',
    '<e>',
    '</e>',
    '<e></f>',
    '<e/><e/>',
    '<e/>text',
    '<e a=1/>',
    '<e a="1" a="2"/>',
    '<e a="<"/>',
    '<e>&nbsp;</e>',
    '<e>&</e>',
    '<e>& amp;</e>',
    '<e>&#0;</e>',
    '<e>&#xD800;</e>',
    '<e><!-- </e>',
    '<e><![CDATA[ </e>',
    '<![CDATA[x]]><e/>',
    '<1e/>',
    '<!DOCTYPE e><e/>',
    '<!DOCTYPE e SYSTEM "file:///etc/passwd"><e/>',
    '<!DOCTYPE e [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><e>&b;</e>',
    `${'<e>'.repeat(201)}${'</e>'.repeat(201)}`,
  ])('is unreadable: %s', (text) => {
    expect(readXml(text)).toBeUndefined();
  });

  it('is read in time linear in its length, for any content', () => {
    const hostile = [
      `<e>${'<a>'.repeat(100_000)}`,
      `<e ${'a '.repeat(200_000)}`,
      `<e>${'&amp;'.repeat(200_000)}`,
      `<e>${'<!--'.repeat(100_000)}`,
      '<'.repeat(500_000),
      `<e a="${'x'.repeat(500_000)}`,
    ];
    expect(hostile.map(readXml)).toEqual(hostile.map(() => undefined));
    const wide = readXml(`<e>${'<a>x</a>'.repeat(100_000)}</e>`);
    expect(wide?.children).toHaveLength(100_000);
  });
});

const BOOK = `<shop><book id="1" lang="en"><title>A</title><price>5</price></book>
  <book id="2"><title>B</title><title>BB</title><price>7</price></book><x><book id="3"><title>C</title></book></x></shop>`;

describe('Location paths', () => {
  it.each([
    ['/shop/book/title', 'A'],
    ['shop/book/title', 'A'],
    ['//title', 'A'],
    ['//book[2]/title', 'B'],
    ['/shop/book[last()]/title[last()]', 'BB'],
    ['//book[@id="3"]/title', 'C'],
    ["//book[title='BB']/@id", '2'],
    ['//book[@lang!="en"]/title', null],
    ['//book[@lang]/@id', '1'],
    ['//@lang', 'en'],
    ['//@*', '1'],
    ['/shop/*/book/title/text()', 'C'],
    ['//title[.="C"]/../@id', '3'],
    ['//price[text()="7"]/../title', 'B'],
    ['/shop/x', 'C'],
    ['/shop//title[2]', 'BB'],
    ['//x//title', 'C'],
    ['./shop/./x/book/@id', '3'],
    ['/title', null],
    ['/shop/book[9]', null],
    ['/shop/book[0]', null],
    ['/../shop', null],
    ['//title/@id', null],
  ])('%s leads to %s', (path, text) => {
    expect(isLocationPath(path)).toBe(true);
    expect(xpath(BOOK, path)).toBe(text);
  });

  it.each([
    '',
    '/',
    '//',
    '/a/',
    'a b',
    '/a[',
    '/a[]',
    '/a[1',
    '/a[b=c]',
    'count(//a)',
    '/a|/b',
    'a::b',
    '/a[position()=1]',
    '//'.repeat(9),
  ])('are not what this is: %s', (path) => {
    expect(isLocationPath(path)).toBe(false);
  });

  it('give null for text that is no XML', () => {
    expect([xpath('', '//a'), xpath('<a>', '//a'), xpath('<!DOCTYPE a><a/>', '//a')]).toEqual([null, null, null]);
  });

  it('walk a document once per step', () => {
    const deep = `${'<a>'.repeat(190)}${'<b/>'.repeat(20_000)}${'</a>'.repeat(190)}`;
    expect(xpath(deep, '//*'.repeat(64))).toBe('');
    expect(isLocationPath('//*'.repeat(65))).toBe(false);
  });
});
