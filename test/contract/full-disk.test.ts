// A disk without room, metadata and logs alike: as a small filesystem of its own where this machine lets one be mounted,
// and by a limit on the size of files, which needs no rights and which the service takes for the same.

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { makeHome, type VigilProcess } from '#test/support/process.ts';
import { MASTER_KEY, type Service, send } from '#test/support/service.ts';
import { canMount, mountSmallDisk } from '#test/support/small-disk.ts';
import { outcome, refused } from '#test/support/suites.ts';

const MIB = 1024 * 1024;
const NO_SPACE = refused(500, 'illegal-state', 'no space left: web');
const HASTE = { VIGIL_SEGMENT_ROWS: '500', VIGIL_SEAL_AFTER: '1', VIGIL_MAINTENANCE_PERIOD: '1' };

const NDJSON = { headers: { 'content-type': 'application/x-ndjson' } };

interface Disk {
  /** What the service keeps back of it. */
  reservedBytes(): number;
  fill(): void;
  free(): void;
}

interface Machine {
  readonly disk: Disk;
  readonly service: Pick<Service, 'call'>;
  start(environment?: Readonly<Record<string, string>>): Promise<void>;
  kill(): Promise<void>;
}

type Way = (data: string, running: () => VigilProcess) => Disk;

/** A filesystem of 24 MiB, which a ballast file fills up; a part is kept from the logs, so that freeing makes real room. */
const smallFilesystem: Way = (data) => {
  mkdirSync(data);
  onTestFinished(mountSmallDisk(data, 24));
  const ballast = join(data, 'ballast');
  const reserve = join(data, 'reserve');
  writeFileSync(reserve, Buffer.alloc(4 * MIB));
  const free = () => {
    for (const file of [ballast, reserve]) rmSync(file, { force: true });
  };
  const reservedBytes = () => statSync(join(data, 'disk-reserve'), { throwIfNoEntry: false })?.size ?? 0;
  return { reservedBytes, fill: () => writeUntilFull(ballast), free };
};

/** Files may not grow beyond 4 KiB. */
const fileSizeLimit: Way = (_, running) => {
  const limit = (bytes: string) =>
    void execFileSync('prlimit', ['--pid', String(running().child.pid), `--fsize=${bytes}:unlimited`]);
  return { reservedBytes: () => 0, fill: () => limit('4096'), free: () => limit('unlimited') };
};

/** The limit is there everywhere. */
const hasSmallDisks = canMount();

const WAYS: readonly { name: string; way: Way }[] = [
  ...(hasSmallDisks ? [{ name: 'a small filesystem', way: smallFilesystem }] : []),
  { name: 'a limit on files', way: fileSizeLimit },
];

for (const { name, way } of WAYS) {
  describe(`On a full disk (${name})`, () => {
    it('a push is refused and keeps nothing; what was acknowledged stays, and writing goes on when there is room', async () => {
      const { disk, service, start, kill } = machineWith(way);
      await start();
      const logger = await createLogger(service, { table: 'web' });
      const pushed = async (from: number, count: number) =>
        outcome(await push(service, logger, { body: linesOf(from, count) }));
      expect(await pushed(0, 100)).toEqual(took(100));
      disk.fill();
      for (const count of [1000, 10_000, 300]) expect(await pushed(1000, count)).toEqual(NO_SPACE);
      for (const path of ['/healthz', '/api/core/tables', '/api/core/tables/web', '/api/core/loggers']) {
        expect((await service.call('GET', path)).status).toBe(200);
      }
      disk.free();
      expect(await pushed(100, 10)).toEqual(took(10));
      expect(await numbersIn(service)).toEqual(range(110));
      disk.fill();
      expect(await pushed(1000, 1000)).toEqual(NO_SPACE);
      await kill();
      await start();
      disk.free();
      expect(await numbersIn(service)).toEqual(range(110));
      expect(await pushed(110, 10)).toEqual(took(10));
    });

    it('what cannot be done is said to be for lack of room, not called a defect', async () => {
      const { disk, service, start } = machineWith(way);
      await start();
      await createLogger(service, { table: 'web' });
      disk.fill();
      const answers = [
        await service.call('GET', '/api/core/query?q=table+web'),
        await service.call('POST', '/api/core/tables', { form: { table: 'more' } }),
      ];
      for (const { status, json, text } of answers) {
        if (status !== 200) expect(json, text).toMatchObject({ error_code: 'illegal-state' });
      }
      expect((await service.call('GET', '/metrics')).text).not.toMatch(/defects_total [1-9]/);
      disk.free();
      expect((await service.call('POST', '/api/core/tables', { form: { table: 'later' } })).status).toBe(200);
      expect(await rowsOf(service, 'table web')).toEqual([]);
    });
  });
}

if (hasSmallDisks) {
  describe('A full disk', () => {
    it('is told by readiness, and so is the room that is back', async () => {
      const { disk, service, start } = machineWith(smallFilesystem);
      await start();
      const ready = async () => outcome(await service.call('GET', '/readyz', { key: null }));
      const checks = { store: 'ok', engine: 'ok', scheduler: 'ok', ingest: 'ok' };
      expect(await ready()).toEqual([200, { status: 'ready', checks }]);
      disk.fill();
      const full = { status: 'not-ready', checks: { ...checks, ingest: 'no space left' } };
      await expect.poll(ready).toEqual([503, full]);
      disk.free();
      await expect.poll(ready).toEqual([200, { status: 'ready', checks }]);
    });

    it('on which a first start cannot make its files is named', async () => {
      const home = makeHome();
      onTestFinished(() => home[Symbol.dispose]());
      const data = join(home.folder, 'data');
      smallFilesystem(data, () => expect.fail('nothing runs')).fill();
      const started = home.serve({ VIGIL_MASTER_KEY: MASTER_KEY });
      expect(await started.exited()).toBe(1);
      expect(started.output().stderr).toContain(`vigil: no space left for ${data}`);
      expect(started.output().stderr).not.toMatch(/^ +at /m);
    });

    it('has a way out: tables are dropped, one after the other, and a start works', async () => {
      const { disk, service, start, kill } = machineWith(smallFilesystem);
      await start();
      const tables = ['one', 'two', 'three'];
      const pushed = async (table: string, count: number) =>
        outcome(await service.call('POST', `/api/core/tables/${table}/logs`, { body: linesOf(0, count), ...NDJSON }));
      for (const table of tables) {
        await service.call('POST', '/api/core/tables', { form: { table } });
        expect(await pushed(table, 400)).toEqual(took(400));
      }
      disk.fill();
      expect(await pushed('three', 400)).toEqual(refused(500, 'illegal-state', 'no space left: three'));
      await kill();
      // Whatever a stop has left free is taken.
      disk.fill();
      await start();
      for (const table of ['one', 'two']) {
        // What is left of the reserve is taken back, before another program has it.
        await expect.poll(() => disk.reservedBytes()).toBeGreaterThan(100_000);
        disk.fill();
        expect(outcome(await service.call('DELETE', `/api/core/tables/${table}`))).toEqual([200, {}]);
      }
      expect((await service.call('GET', '/api/core/tables')).json.total_count).toBe(1);
      disk.free();
      await expect.poll(() => pushed('three', 10)).toEqual(took(10));
      expect(await rowsOf(service, 'table three | stats count')).toEqual([{ count: 410 }]);
    });
  });

  describe('A disk that fills up while logs come in', () => {
    it('loses and repeats nothing, though records are sealed meanwhile, and the service starts on it', async () => {
      const { disk, service, start, kill } = machineWith(smallFilesystem);
      await start(HASTE);
      const logger = await createLogger(service, { table: 'web' });
      let next = 0;
      const fillUp = async () => {
        for (;;) {
          const answer = await push(service, logger, { body: linesOf(next, 400) });
          if (answer.status !== 200) return outcome(answer);
          next += 400;
        }
      };
      expect(await fillUp()).toEqual(NO_SPACE);
      expect(next).toBeGreaterThan(0);
      disk.fill();
      await kill();
      await start(HASTE);
      expect((await service.call('GET', '/api/core/tables')).json.total_count).toBe(1);
      // A start tidies up, which may make some room.
      expect(await fillUp()).toEqual(NO_SPACE);
      disk.free();
      await kill();
      await start();
      expect(await numbersIn(service)).toEqual(range(next));
    });
  });
}

function machineWith(way: Way): Machine {
  const home = makeHome();
  onTestFinished(() => home[Symbol.dispose]());
  let running: VigilProcess | undefined;
  let url = '';
  const process = () => {
    if (!running) throw new Error('the service has not started yet');
    return running;
  };
  return {
    disk: way(join(home.folder, 'data'), process),
    service: { call: (method, path, options) => send(`${url}${path}`, method, options) },
    async start(environment = {}) {
      running = home.serve({ VIGIL_MASTER_KEY: MASTER_KEY, ...environment });
      url = await running.ready();
    },
    async kill() {
      process().child.kill('SIGKILL');
      await once(process().child, 'close');
    },
  };
}

const range = (count: number) => Array.from({ length: count }, (_, n) => n);
const took = (accepted: number) => [200, { accepted, rejected: [], rejected_count: 0 }];

/** Lines that do not compress, so that a sealed segment needs room, too. */
const linesOf = (from: number, count: number) =>
  range(count)
    .map((at) => JSON.stringify({ n: from + at, noise: Buffer.from(noise(from + at)).toString('base64') }))
    .join('\n');

const noise = (seed: number) => crypto.getRandomValues(new Uint8Array(100 + (seed % 100)));

const numbersIn = async (service: Machine['service']) =>
  (await rowsOf(service, 'table order=asc web')).map(({ n }) => n).sort((a, b) => a - b);

function writeUntilFull(path: string): void {
  const file = openSync(path, 'a');
  for (const size of [MIB, 4096, 1]) {
    const bytes = Buffer.alloc(size);
    try {
      while (writeSync(file, bytes) === size);
    } catch {
      // There is no room for this much any more.
    }
  }
  closeSync(file);
}
