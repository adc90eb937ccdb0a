// The bundle of `npm run build`: complete without the sources, and made by an installation that has the bundler.

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUNDLE_FOLDER, CONSOLE_FOLDER, isCurrent } from '#runtime/bundle.ts';
import { readyAt } from '#test/support/installed-program.ts';
import { createLogger, rowsOf } from '#test/support/logs.ts';
import { callerOf } from '#test/support/process.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { ROOT } from '#test/support/sources.ts';

let root: string;

/** An installation of the bundle alone. */
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'vigil-release-'));
  for (const path of ['bin/vigil.js', 'bin/locked-node.js', 'package.json', BUNDLE_FOLDER, CONSOLE_FOLDER]) {
    cpSync(join(ROOT, path), join(root, path), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('The bundle', () => {
  it('is of these sources, so that suites of the executable run it', () => {
    expect(isCurrent()).toBe(true);
    expect(isCurrent(ROOT, CONSOLE_FOLDER)).toBe(true);
  });

  it('takes and examines logs, queries them in all its threads and verifies its trail, without the sources', async () => {
    const folder = join(root, 'home');
    const flags = ['--port', '0', '--data', join(folder, 'data'), '--keys', join(folder, 'keys')];
    const env = { PATH: process.env.PATH ?? '', HOME: folder, LANG: 'C', VIGIL_MASTER_KEY: MASTER_KEY };
    mkdirSync(folder);
    const child = spawn(process.execPath, [join(root, 'bin/vigil.js'), 'serve', ...flags], { env });
    try {
      const url = await readyAt(child);
      const service = callerOf(url);
      const logger = await createLogger(service, { table: 'web' });
      const body = ['{"n":1,"kv":"a=1 b=2"}', '{"n":2,"kv":"a=3"}'].join('\n');
      const headers = { authorization: `Bearer ${MASTER_KEY}`, 'content-type': 'application/x-ndjson' };
      const pushed = await fetch(`${url}/api/core/loggers/${logger}/logs`, { method: 'POST', headers, body });
      expect(await pushed.json()).toMatchObject({ accepted: 2 });
      // Commands that DuckDB lacks run in a local thread.
      const q = 'table web | sort n | eval line = concat("<a><x>", kv, "</x></a>") | parsexml overlay=t | fields n, x';
      expect(await rowsOf(service, q)).toEqual([
        { n: 1, x: 'a=1 b=2' },
        { n: 2, x: 'a=3' },
      ]);
      expect((await service.call('GET', '/api/core/audit-logs?limit=1')).status).toBe(200);
      expect((await service.call('GET', '/docs')).text).toContain('stats');
      expect((await service.call('GET', '/')).text).toContain('src="/assets/');
    } finally {
      child.kill('SIGTERM');
    }
  });

  it('is left alone by an installation without the bundler, which does not fail', () => {
    const bare = mkdtempSync(join(tmpdir(), 'vigil-bare-'));
    try {
      cpSync(join(ROOT, 'bin'), join(bare, 'bin'), { recursive: true });
      writeFileSync(join(bare, 'package.json'), '{"type":"module"}');
      const said = execFileSync(process.execPath, [join(bare, 'bin/prepare.js')], { encoding: 'utf8' });
      expect(said).toBe(
        'vigil: nothing is built: a checkout needs its development dependencies, `npm ci` installs them (docs/install.md: releases)\n',
      );
      expect(existsSync(join(bare, 'dist'))).toBe(false);
    } finally {
      rmSync(bare, { recursive: true, force: true });
    }
  });
});
