// A disk without room while uploads come in and are imported. A limit on the size of files stands for it, which the
// service takes for the same.

import { execFileSync } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { rowsOf } from '#test/support/logs.ts';
import { makeHome } from '#test/support/process.ts';
import { send } from '#test/support/service.ts';
import { outcome, refused } from '#test/support/suites.ts';
import { append, complete, createTable, offsetOf, opened } from '#test/support/uploads.ts';

const NO_SPACE = refused(500, 'illegal-state', 'no space left: web');
const LINES = 3000;
const LOGS = Buffer.from(Array.from({ length: LINES }, (_, n) => `{"n":${n},"x":"${'y'.repeat(80)}"}\n`).join(''));

it('Uploads on a full disk keep what was acknowledged, and go on when there is room', async () => {
  const home = makeHome();
  onTestFinished(() => home[Symbol.dispose]());
  const running = home.serve();
  const url = await running.ready();
  const service = { call: (method: string, path: string, options?: object) => send(`${url}${path}`, method, options) };
  const limitFiles = (bytes: string) =>
    void execFileSync('prlimit', ['--pid', String(running.child.pid), `--fsize=${bytes}:unlimited`]);
  await createTable(service, 'web');
  const token = await opened(service, { file_size: LOGS.length, metadata: { table: 'web' } });
  expect((await append(service, token, { offset: 0, body: LOGS.subarray(0, 100_000) })).status).toBe(204);

  limitFiles('150000');
  expect(outcome(await append(service, token, { offset: 100_000, body: LOGS.subarray(100_000) }))).toEqual(NO_SPACE);
  expect(await offsetOf(service, token)).toBe(100_000);
  limitFiles('unlimited');
  expect((await append(service, token, { offset: 100_000, body: LOGS.subarray(100_000) })).status).toBe(204);

  limitFiles('150000');
  expect(outcome(await complete(service, token))).toEqual(NO_SPACE);
  limitFiles('unlimited');
  expect(await rowsOf(service, 'table web | stats count')).toEqual([{ count: 0 }]);
  expect(outcome(await complete(service, token))).toEqual([200, { accepted: LINES, rejected: [], rejected_count: 0 }]);
  expect(await rowsOf(service, 'table web | stats count')).toEqual([{ count: LINES }]);
});
