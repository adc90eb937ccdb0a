import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { serviceFor } from '#test/support/suites.ts';
import { guidesIn } from './guides.ts';

const folder = mkdtempSync(join(tmpdir(), 'vigil-guides-'));
const { call } = serviceFor();

afterAll(() => rmSync(folder, { recursive: true }));

describe('The guides', () => {
  it('are those documents of a folder that are there, in the order of reading', () => {
    for (const name of ['security', 'tour', 'gaps']) writeFileSync(join(folder, `${name}.md`), `# ${name}\n`);
    mkdirSync(join(folder, 'reference'));
    expect(guidesIn(folder)).toEqual([
      { name: 'tour', markdown: '# tour\n' },
      { name: 'security', markdown: '# security\n' },
    ]);
    expect(guidesIn(join(folder, 'nowhere'))).toEqual([]);
  });

  it('are part of the page that a service serves, with the language and the settings', async () => {
    const { status, headers, text } = await call('GET', '/docs', { key: null });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-.+'; script-src 'sha256-/,
    );
    for (const id of ['chapter-security', 'chapter-commands-stats', 'chapter-settings', 'filter', 'createUser']) {
      expect(text).toContain(`id="${id}"`);
    }
  });
});
