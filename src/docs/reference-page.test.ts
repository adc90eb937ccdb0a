import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AnyEndpoint } from '#http/endpoint.ts';
import { anyText, guid, orElse, required, text } from '#http/params.ts';
import { created } from '#http/shapes.ts';
import { operations, ownOperations } from '#resources/index.ts';
import { referencePage } from './reference-page.ts';

// As in app.ts: the declarations are only read.
const endpoints = [...operations, ...ownOperations('open')] as unknown as readonly AnyEndpoint[];
const { html, policy } = referencePage(endpoints);

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
  it('allows its own style by its hash, and nothing else', () => {
    const styles = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, style = '']) => style);
    expect(styles.length).toBe(1);
    const hash = createHash('sha256')
      .update(styles[0] ?? '')
      .digest('base64');
    expect(policy).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
  });

  it('holds nothing that the policy forbids: no script, no style beside that one, no form', () => {
    expect(
      tagsIn(html).filter((tag) => ['script', 'link', 'img', 'iframe', 'form', 'base'].includes(tag ?? '')),
    ).toEqual([]);
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
    expect(articles.length).toBe(endpoints.length);
    for (const { title, method, path, params } of endpoints) {
      const article = articles.find((candidate) => candidate.includes(`>${title}</a></h3>`)) ?? '';
      expect(article).toContain(`>${method}</span> <code>${path.replace(/:(\w+)/g, '{$1}')}</code>`);
      for (const name of Object.keys(params)) expect(article, title).toContain(`<td><code>${name}</code></td>`);
    }
  });

  it('closes what it opens', () => {
    const voids = ['meta', 'doctype'];
    const opened = tagsIn(html).filter((tag) => !voids.includes(tag ?? ''));
    const closed = [...html.matchAll(/<\/([a-z0-9]+)>/g)].map(([, tag]) => tag);
    expect(opened.toSorted()).toEqual(closed.toSorted());
  });

  it('shows whatever a declaration says as text', () => {
    const page = referencePage([hostile]).html;
    expect(page).not.toContain('<script');
    expect(page).not.toContain('<img');
    expect(page.match(/<\/style>/g)?.length).toBe(1);
    expect(page.split('&lt;/style&gt;&lt;script&gt;alert(&quot;1&quot;)').length).toBeGreaterThan(8);
    expect(page).toContain('&amp;amp;');
  });

  it('calls the service where it is told to', () => {
    expect(referencePage(endpoints, 'https://vigil.test').html).toContain('https://vigil.test/api/core/users');
  });

  it('names the fields of an answer', () => {
    const page = referencePage([{ ...hostile, answer: created }]).html;
    expect(page).toMatch(/<td><code>guid<\/code><\/td><td>GUID<\/td>/);
  });
});
