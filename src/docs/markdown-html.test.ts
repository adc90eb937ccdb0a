import { describe, expect, it } from 'vitest';
import { chapterOf, sectionSlugs, slugOf } from './markdown-html.ts';

const linkTo = (target: string) => (target.startsWith('#') ? target.slice(1) : undefined);
const bodyOf = (markdown: string) => chapterOf(markdown, linkTo).opening.text;

describe('Markdown', () => {
  const inline: [markdown: string, html: string][] = [
    ['plain & <b>', 'plain &amp; &lt;b&gt;'],
    ['`a < b`', '<code>a &lt; b</code>'],
    ['**strong** and *slanted*', '<strong>strong</strong> and <em>slanted</em>'],
    ['[there](#here)', '<a href="#here">there</a>'],
    ['[`x`](https://example.com)', '<code>x</code>'],
    ['\\[not\\] a \\*link\\*', '[not] a *link*'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['a ` alone', 'a ` alone'],
    ['[open', '[open'],
    ['![a <picture>](file.png)', 'a &lt;picture&gt;'],
    ['https://example.com/', 'https://example.com/'],
  ];
  it.each(inline)('in a line: %s', (markdown, html) => {
    expect(bodyOf(markdown)).toBe(`<p>${html}</p>\n`);
  });

  const blocks: [markdown: string, html: string][] = [
    ['one\ntwo\n\nthree', '<p>one\ntwo</p>\n<p>three</p>\n'],
    ['- a\n- b\n  goes on', '<ul>\n<li>a</li>\n<li>b\ngoes on</li>\n</ul>\n'],
    ['- a\n  - b', '<ul>\n<li>a<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>\n'],
    ['1. a\n2. b', '<ol>\n<li>a</li>\n<li>b</li>\n</ol>\n'],
    ['```sh\n# <no heading>\n\n- x\n```', '<pre tabindex="0"><code># &lt;no heading&gt;\n\n- x</code></pre>\n'],
    ['### Deep', '<h4>Deep</h4>\n'],
    ['> said\n> so', '<blockquote>\n<p>said\nso</p>\n</blockquote>\n'],
    ['<!-- not shown -->\n\nshown', '<p>shown</p>\n'],
  ];
  it.each(blocks)('in blocks: %s', (markdown, html) => {
    expect(bodyOf(markdown)).toBe(html);
  });

  it('has tables, whose cells may hold a bar after a backslash', () => {
    expect(bodyOf('| a | b |\n|---|---|\n| `x\\|y` | 2 |')).toContain('<tr><td><code>x|y</code></td><td>2</td></tr>');
  });

  it('is a chapter with sections', () => {
    const { title, opening, sections } = chapterOf('# Title\n\nfirst\n\n## One `x`\n\nsecond\n\n## Two', linkTo);
    expect([title, opening.text]).toEqual(['Title', '<p>first</p>\n']);
    expect(sections.map(({ slug, title, body }) => [slug, title, body.text])).toEqual([
      ['one-x', 'One `x`', '<p>second</p>\n'],
      ['two', 'Two', ''],
    ]);
    expect(sectionSlugs('# Title\n\n## One `x`\n\n```\n## none\n```\n\n## Two')).toEqual(['one-x', 'two']);
    expect(slugOf('Get & set: a/b')).toBe('get--set-ab');
  });
});
