// The data of the demo, made once in a run of the tests; a suite starts its service on a copy.

import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type App, startApp } from '#app/app.ts';
import { findDemo } from '#demo/demo.ts';
import type { Keys } from '#demo/objects/people.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { readConfig } from '#settings/read-config.ts';
import { MASTER_KEY } from './service.ts';
import { until } from './until.ts';

export interface DemoService extends AsyncDisposable {
  readonly app: App;
  readonly url: string;
  readonly keys: Readonly<Record<'master' | 'kim' | 'lee', string>>;
}

export interface DemoOptions {
  /** In place of the clock of the machine; stands at the time of the data, or later. */
  readonly clock?: Clock;
  readonly flags?: Readonly<Record<string, string>>;
}

/** No feed runs: a page shows the same as long as its test does not change it. */
export async function startDemoService({ clock, flags }: DemoOptions = {}): Promise<DemoService> {
  const made = await demoFolder();
  const folder = mkdtempSync(join(inject('folder'), 'demo-copy-'));
  for (const part of ['data', 'keys']) cpSync(join(made, part), join(folder, part), { recursive: true });
  const keys: Keys = JSON.parse(readFileSync(join(made, 'accounts.json'), 'utf8'));
  const app = await startApp(await configIn(folder, flags), { masterKey: MASTER_KEY, ...(clock ? { clock } : {}) });
  return {
    app,
    url: app.url,
    keys: { master: MASTER_KEY, kim: keys.kim, lee: keys.lee },
    async [Symbol.asyncDispose]() {
      await app.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Other workers wait for the one that makes it. */
async function demoFolder(): Promise<string> {
  const folder = join(inject('folder'), 'demo');
  try {
    mkdirSync(folder);
  } catch {
    await until(() => existsSync(join(folder, 'accounts.json')), Boolean);
    return folder;
  }
  const config = await configIn(folder);
  const demo = await findDemo(config);
  const app = await startApp(config, { masterKey: MASTER_KEY });
  const signal = new AbortController().signal;
  const keys = await demo.begin(app, { masterKey: MASTER_KEY, signal, onProgress() {}, failed() {} });
  await demo.end();
  await app.stop();
  writeFileSync(join(folder, 'accounts.json'), JSON.stringify(keys));
  return folder;
}

const configIn = (folder: string, flags: DemoOptions['flags'] = {}) =>
  readConfig({
    flags: {
      port: '0',
      data: join(folder, 'data'),
      keys: join(folder, 'keys'),
      demo: 'true',
      'database-hosts': '127.0.0.1',
      ...flags,
    },
    environment: {},
  });
