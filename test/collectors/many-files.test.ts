// More files than the process may have open.

import { execFileSync } from 'node:child_process';
import { appendFileSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loggerRecord, valuesOf } from '#test/support/collected-logs.ts';
import { createCollector } from '#test/support/collectors.ts';
import { makeHome, type VigilProcess } from '#test/support/process.ts';
import { MASTER_KEY, type Service, send } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';

const LIMIT = 400;
const FILES = 600;
const fields = { interval: '1000' };

const setLimit = ({ child }: VigilProcess, files: number) =>
  void execFileSync('prlimit', ['--pid', String(child.pid), `--nofile=${files}:20000`]);
const openOf = ({ child }: VigilProcess): number => readdirSync(`/proc/${child.pid}/fd`).length;
/** The number that the next file to be opened would get. */
const nextOf = ({ child }: VigilProcess): number => {
  const taken = new Set(readdirSync(`/proc/${child.pid}/fd`).map(Number));
  let next = 0;
  while (taken.has(next)) next += 1;
  return next;
};
/** What the service log says that nobody foresaw. */
const defects = ({ output }: VigilProcess): string[] =>
  output()
    .stderr.split('\n')
    .filter((line) => /"level":50/.test(line) && !line.includes('begins to fail'));

function serviceAt(url: string): Pick<Service, 'call'> {
  return { call: (method, path, options) => send(`${url}${path}`, method, options) };
}

it('Files beyond the limit of the process are all followed, and others can work', async () => {
  using home = makeHome();
  const logs = join(home.folder, 'logs');
  const names = Array.from({ length: FILES }, (_, index) => join(logs, `host${index}.log`));
  mkdirSync(logs);
  const started = home.serve({ VIGIL_MASTER_KEY: MASTER_KEY, VIGIL_COLLECT_FOLDERS: logs });
  const service = serviceAt(await started.ready());
  setLimit(started, LIMIT);
  for (const [index, name] of names.entries()) writeFileSync(name, `first of ${index}\n`);
  const configs = { path: logs, pattern: 'host*.log*', from: 'start' };
  // Two loggers share what there is.
  const guids = [];
  for (const table of ['one', 'two'])
    guids.push(await createCollector(service, { table, factory: 'file', configs, fields }));
  const expected = names.map((_, index) => `first of ${index}`);
  const check = async () => {
    for (const table of ['one', 'two']) {
      expect((await valuesOf(service, table, expected.length)).sort()).toEqual(expected.toSorted());
    }
  };
  await check();
  expect(openOf(started)).toBeLessThan(LIMIT / 2);
  // Rotated while most of them are closed, with lines that nobody has seen.
  for (const [index, name] of names.entries()) {
    appendFileSync(name, `second of ${index}\n`);
    renameSync(name, `${name}.1`);
    writeFileSync(name, `third of ${index}\n`);
    expected.push(`second of ${index}`, `third of ${index}`);
  }
  await check();
  expect(openOf(started)).toBeLessThan(LIMIT / 2);
  for (const guid of guids) {
    // Lines are counted after they can be read.
    const running = { status: 'running', failure: null, log_count: expected.length };
    await expect.poll(() => loggerRecord(service, guid)).toMatchObject(running);
  }
  started.child.kill('SIGTERM');
  expect(await started.exited(), started.output().stderr).toBe(0);
  expect(defects(started)).toEqual([]);
});

it('A logger that may open no more files says so, and goes on once it may', async () => {
  using home = makeHome();
  const logs = join(home.folder, 'logs');
  mkdirSync(logs);
  writeFileSync(join(logs, 'a.log'), 'one\n');
  const started = home.serve({ VIGIL_MASTER_KEY: MASTER_KEY, VIGIL_COLLECT_FOLDERS: logs });
  const service = serviceAt(await started.ready());
  const configs = { path: logs, pattern: '*.log', from: 'start' };
  const guid = await createCollector(service, { table: 'logs', factory: 'file', configs, fields });
  expect(await valuesOf(service, 'logs', 1)).toEqual(['one']);
  const failing = await until(
    async () => {
      setLimit(started, nextOf(started));
      return await loggerRecord(service, guid);
    },
    ({ failure }) => failure !== null,
  );
  expect(failing).toMatchObject({ status: 'stopped', failure: 'too many open files' });
  writeFileSync(join(logs, 'b.log'), 'two\n');
  setLimit(started, 20_000);
  expect(await valuesOf(service, 'logs', 2)).toEqual(['one', 'two']);
  const record = await until(
    () => loggerRecord(service, guid),
    ({ status, log_count }) => status === 'running' && log_count === 2,
  );
  expect(record).toMatchObject({ failure: null, log_count: 2 });
  started.child.kill('SIGTERM');
  expect(await started.exited(), started.output().stderr).toBe(0);
  expect(defects(started)).toEqual([]);
});

it('Lines of many files are kept together, up to a bound of files and of bytes', async () => {
  using home = makeHome();
  const logs = join(home.folder, 'logs');
  const started = home.serve({ VIGIL_MASTER_KEY: MASTER_KEY, VIGIL_COLLECT_FOLDERS: logs });
  const service = serviceAt(await started.ready());
  const small = Array.from({ length: 300 }, (_, index) => `line of ${index}`);
  const large = ['a', 'b', 'c'].map((letter) => letter.repeat(700_000));
  for (const [table, texts] of Object.entries({ small, large })) {
    mkdirSync(join(logs, table), { recursive: true });
    for (const [index, text] of texts.entries()) writeFileSync(join(logs, table, `${index}.log`), `${text}\n`);
    const configs = { path: join(logs, table), from: 'start' };
    await createCollector(service, { table, factory: 'file', configs, fields });
    expect(await valuesOf(service, table, texts.length)).toHaveLength(texts.length);
  }
  // Of 256 files and the rest; of two files, which are more than a MiB, and the third.
  expect(framesBelow(join(home.folder, 'data'))).toEqual([2, 2]);
  started.child.kill('SIGTERM');
  expect(await started.exited(), started.output().stderr).toBe(0);
});

/** How many batches there are in each journal that has any. */
function framesBelow(folder: string): number[] {
  const journals = globSync('**/*.journal', { cwd: folder }).map((name) => readFileSync(join(folder, name), 'latin1'));
  return journals.map((text) => text.match(/^#\d{10} \d{16} /gm)?.length ?? 0).filter((count) => count > 0);
}
