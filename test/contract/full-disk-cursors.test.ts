// Rows of a cursor end where the disk does, and before that where logs would have no room any more.

import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLogger, push } from '#test/support/logs.ts';
import { makeHome, type VigilProcess } from '#test/support/process.ts';
import { ENDLESS_JSON, finished, openCursor } from '#test/support/queries.ts';
import { MASTER_KEY, type Service, send } from '#test/support/service.ts';
import { canMount, mountSmallDisk } from '#test/support/small-disk.ts';

const MIB = 1024 * 1024;
/** A disk is full sooner of wide rows. */
const WIDTH = 1000;
const ENDLESS_WIDE = ENDLESS_JSON.replace(' | repeat', ` | eval a = lpad("", ${WIDTH}, "x") | repeat`);
const FAILED = {
  is_cancelled: true,
  cancel_reason: 'LowDisk',
  error_code: 93003,
  error_detail: 'memory or disk is exhausted',
};

interface Way {
  readonly name: string;
  prepare?(data: string): void;
  limit?(process: VigilProcess): void;
}

const WAYS: readonly Way[] = [
  {
    name: 'a limit on files',
    limit: ({ child }) => void execFileSync('prlimit', ['--pid', String(child.pid), `--fsize=${8 * MIB}:unlimited`]),
  },
  ...(canMount()
    ? [
        {
          name: 'a small filesystem',
          prepare(data: string) {
            mkdirSync(data);
            onTestFinished(mountSmallDisk(data, 48));
          },
        },
      ]
    : []),
];

describe.each(WAYS)('A cursor that fills its disk ($name)', ({ prepare, limit }) => {
  it('ends as failed; its rows stay readable, and logs still come in', async () => {
    const home = makeHome();
    onTestFinished(() => home[Symbol.dispose]());
    prepare?.(join(home.folder, 'data'));
    const running = home.serve({ VIGIL_MASTER_KEY: MASTER_KEY });
    const url = await running.ready();
    const service: Pick<Service, 'call'> = { call: (method, path, how) => send(`${url}${path}`, method, how) };
    const logger = await createLogger(service, { table: 'web' });
    limit?.(running);
    const id = await openCursor(service, ENDLESS_WIDE);
    const status = await finished(service, id);
    expect(status).toMatchObject(FAILED);
    expect(status.rows * WIDTH).toBeGreaterThan(4 * MIB);
    expect(status.commands.at(-1)).toMatchObject({ status: 'End', push_count: status.rows });
    const last = await service.call('GET', `/api/core/cursors/${id}?offset=${status.rows - 1}`);
    expect(last.text).toBe(`{"a":"${'x'.repeat(WIDTH)}"}\n`);
    expect((await push(service, logger, { body: '{"n":1}' })).json).toMatchObject({ accepted: 1 });
    expect((await service.call('DELETE', `/api/core/cursors/${id}`)).json).toEqual({ status: 'ok' });
  });
});
