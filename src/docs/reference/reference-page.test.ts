import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PARSERS } from '#ingest/parsers/index.ts';
import { markup as escaped } from '#kernel/text/markup.ts';
import { created } from '#operations/answers/shapes.ts';
import type { AnyEndpoint } from '#operations/endpoint.ts';
import { anyText, guid, orElse, required, text } from '#operations/params/params.ts';
import { commands } from '#query/commands/index.ts';
import { functions } from '#query/functions/index.ts';
import { mistakes } from '#query/model/messages.en.ts';
import { operations, ownOperations } from '#resources/index.ts';
import { SETTING_NAMES } from '#settings/index.ts';
import { referencePage } from './reference-page.ts';

// As in app.ts: the declarations are only read.
const endpoints = [...operations, ...ownOperations('open')] as unknown as readonly AnyEndpoint[];
const GUIDE = {
  name: 'tour',
  markdown: '# A tour\n\n## Start\n\nSee [settings](reference/settings.md) and [elsewhere](https://example.com).\n',
};
const { html, policy } = referencePage(endpoints, { guides: [GUIDE] });

const HOSTILE = '</style><script>alert("1")</script><img src=x onerror=\'alert(1)\'>&amp;';

const hostile: AnyEndpoint = {
  title: HOSTILE,
  notes: `${HOSTILE} and \`${HOSTILE}\``,
  method: 'PUT',
  path: `/api/core/${HOSTILE}/:guid`,
  access: { text: HOSTILE, allows: async () => true },
  params: { guid: required(guid), [HOSTILE]: required(text(5)), mood: orElse(anyText, HOSTILE) },
  answer: { schema: { type: 'object', properties: { [HOSTILE]: { type: HOSTILE, description: HOSTILE } } } },
  answerType: HOSTILE,
  run: async () => ({}),
};

const tagsIn = (page: string) => [...page.matchAll(/<([a-z][a-z0-9]*)\b/g)].map(([, tag]) => tag);
const attributesNamed = (name: RegExp) => [...html.matchAll(name)].map(([, value = '']) => value);

describe('The reference page', () => {
  it('allows its own style and its own script by their hashes, and nothing else', () => {
    const hashes = [/<style>([\s\S]*?)<\/style>/g, /<script>([\s\S]*?)<\/script>/g].map((element) => {
      const [text = '', ...further] = [...html.matchAll(element)].map(([, inner = '']) => inner);
      expect(further).toEqual([]);
      return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    });
    expect(policy).toBe(
      `default-src 'none'; style-src ${hashes[0]}; script-src ${hashes[1]}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
  });

  it('holds nothing that the policy forbids: no script and no style beside these, no form', () => {
    expect(
      tagsIn(html).filter((tag) => ['script', 'link', 'img', 'iframe', 'form', 'base'].includes(tag ?? '')),
    ).toEqual(['script']);
    expect(html).not.toMatch(/<[^>]+\s(?:style|on\w+)=/);
    expect(html).not.toMatch(/@import|url\(/);
  });

  it('links only to places in itself, each of which exists once', () => {
    const links = attributesNamed(/\shref="([^"]*)"/g);
    const ids = attributesNamed(/\sid="([^"]*)"/g);
    expect(links.length).toBeGreaterThan(endpoints.length);
    expect(links.filter((link) => !ids.includes(link.slice(1)) || !link.startsWith('#'))).toEqual([]);
    expect(ids.toSorted()).toEqual([...new Set(ids)].toSorted());
    expect(html).not.toMatch(/\ssrc=/);
  });

  it('shows every operation with its call and all its parameters', () => {
    const articles = html.split('<article').slice(1);
    expect(articles.filter((text) => text.includes('class="call"')).length).toBe(endpoints.length);
    for (const { title, method, path, params } of endpoints) {
      const article = articles.find((candidate) => candidate.includes(`>${title}</a></h3>`)) ?? '';
      expect(article).toContain(`>${method}</span> <code>${path.replace(/:(\w+)/g, '{$1}')}</code>`);
      for (const name of Object.keys(params)) expect(article, title).toContain(`<td><code>${name}</code></td>`);
    }
  });

  it('holds the query language, the parsers, the settings and the guides', () => {
    const titles = [...html.matchAll(/<h2 id="chapter-[^"]+"><a [^>]+>([^<]+)</g)].map(([, title]) => title);
    expect(titles).toEqual([
      'A tour',
      'Commands of the query language',
      'Functions of the query language',
      'Parsers of logs',
      'Errors of the query language',
      'Settings',
    ]);
    for (const { name } of commands) expect(html).toContain(`<article id="chapter-commands-${name}"`);
    for (const { syntax } of functions) {
      expect(html).toContain(escaped(syntax.split(' or ')[0]?.replaceAll("'", '’') ?? ''));
    }
    for (const { code } of PARSERS) expect(html).toContain(`<code>${code}</code></a></h3>`);
    for (const number of Object.keys(mistakes)) expect(html).toContain(`<tr><td>${number}</td>`);
    for (const name of SETTING_NAMES) expect(html).toContain(`<tr><td><code>${name}</code></td>`);
  });

  it('links from chapter to chapter, and not out of the page', () => {
    expect(html).toContain('See <a href="#chapter-settings">settings</a> and elsewhere.');
  });

  it('closes what it opens', () => {
    const voids = ['meta', 'doctype', 'input'];
    const markup = html.replace(/<script>[\s\S]*?<\/script>/, '');
    const opened = tagsIn(markup).filter((tag) => !voids.includes(tag ?? ''));
    const closed = [...markup.matchAll(/<\/([a-z0-9]+)>/g)].map(([, tag]) => tag);
    expect(opened.toSorted()).toEqual(closed.toSorted());
  });

  it('shows whatever a declaration says as text', () => {
    const guide = {
      name: 'tour',
      markdown: `# ${HOSTILE}\n\n${HOSTILE}\n\n## ${HOSTILE}\n\n| a |\n|---|\n| ${HOSTILE} |\n`,
    };
    const page = referencePage([hostile], { guides: [guide] }).html;
    expect(page.match(/<script/g)?.length).toBe(1);
    expect(page).not.toContain('<img');
    expect(page.match(/<\/style>/g)?.length).toBe(1);
    expect(page.split('&lt;/style&gt;&lt;script&gt;alert(&quot;1&quot;)').length).toBeGreaterThan(8);
    expect(page).toContain('&amp;amp;');
  });

  it('calls the service where it is told to', () => {
    expect(referencePage(endpoints, { url: 'https://vigil.test' }).html).toContain('https://vigil.test/api/core/users');
  });

  it('names the fields of an answer', () => {
    const page = referencePage([{ ...hostile, answer: created }]).html;
    expect(page).toMatch(/<td><code>guid<\/code><\/td><td>GUID<\/td>/);
  });
});
