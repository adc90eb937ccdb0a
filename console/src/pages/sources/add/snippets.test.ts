// What the console gives to paste is what docs/senders.md says.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#test/support/sources.ts';
import { KIND_IDS } from './kinds.ts';
import { SNIPPETS, type SnippetValues } from './snippets.ts';

/** The words that stand for the reader's own values there. */
const WORDS: SnippetValues = {
  url: 'URL',
  host: 'vigil.example.com',
  port: '8470',
  isTls: false,
  key: 'KEY',
  table: 'web',
  parser: 'syslog',
  loggerPort: '5514',
};
const TLS_LOGGER = { ...WORDS, loggerPort: '6514' };

const text = readFileSync(join(ROOT, 'docs/senders.md'), 'utf8');
const blocks = new Set([...text.matchAll(/```\w*\n([\s\S]*?)\n```/g)].map(([, block]) => block));

describe('The snippets of the console', () => {
  const all = KIND_IDS.flatMap((kind) => SNIPPETS[kind].map((snippet) => ({ kind, snippet })));

  it('are those of the document of senders', () => {
    const written = all.flatMap(({ snippet }) => [WORDS, TLS_LOGGER].map((words) => snippet.text(words)));
    const unknown = all.filter(({ snippet }) => ![WORDS, TLS_LOGGER].some((words) => blocks.has(snippet.text(words))));
    expect(written.length).toBeGreaterThan(10);
    expect(unknown.map(({ kind, snippet }) => [kind, snippet.text(WORDS)])).toEqual([]);
  });

  it('are there for every sender that logs are pushed by', () => {
    for (const kind of ['curl', 'otlp', 'rsyslog', 'fluent-bit', 'vector', 'filebeat'] as const) {
      expect(SNIPPETS[kind].length).toBeGreaterThan(0);
      for (const { text: fill } of SNIPPETS[kind]) {
        expect(fill({ ...WORDS, key: 'vgl_own', table: 'shop' })).toMatch(/vgl_own[\s\S]*shop|shop[\s\S]*vgl_own/);
      }
    }
  });

  it('say how a service below TLS is reached', () => {
    const below = (kind: 'rsyslog' | 'fluent-bit') => SNIPPETS[kind][0]?.text({ ...WORDS, isTls: true });
    expect(below('rsyslog')).toContain('usehttps="on"');
    expect(below('fluent-bit')).toContain('tls              On');
  });

  it.each([
    ['curl', { parser: 'json' }, ['curl'], '{"msg":"hello"}'],
    ['curl', { parser: 'syslog' }, ['curl'], 'parser=syslog'],
    ['syslog', { factory: 'syslog-udp' }, ['logger'], '--udp'],
    ['syslog', { factory: 'syslog-tcp' }, ['logger'], '--tcp'],
    ['syslog', { factory: 'syslog-tls' }, ['rsyslog'], 'StreamDriver="gtls"'],
    // The service reads a file by itself.
    ['file', { factory: 'file' }, [], ''],
  ] as const)('of %s with %j are those that fit', (kind, choices, titles, part) => {
    const values = { ...WORDS, factory: '', ...choices };
    const fitting = SNIPPETS[kind].filter(({ fits }) => fits?.(values) ?? true);
    expect(fitting.map(({ title }) => title)).toEqual(titles);
    expect(fitting.map(({ text: fill }) => fill(values)).join()).toContain(part);
  });

  it('name a table of any script in an address that every sender understands', () => {
    const texts = [...SNIPPETS.vector, ...SNIPPETS['fluent-bit']].map(({ text: fill }) =>
      fill({ ...WORDS, table: '웹' }),
    );
    for (const filled of texts) expect(filled).toContain('/api/core/tables/%EC%9B%B9/logs');
  });
});
