// Sinks behind a window: rows are stored as they come, at most a second behind, and stay. The test moves the clock.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { entriesOf } from '#test/support/audit.ts';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { cancel, finished, openCursor, reached, rowsFrom, statusOf } from '#test/support/queries.ts';
import type { Wire } from '#test/support/service.ts';
import { serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'vigil-window-sinks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('A sink behind a window', () => {
  const subject = serviceFor({ flags: { 'export-folder': folder }, alone: 'embedded' });
  const loggers = new Map<string, string>();
  const table = async (name: string) => {
    if (!loggers.has(name)) loggers.set(name, await createLogger(subject, { table: name }));
    return name;
  };
  const arrive = async (name: string, ...records: object[]) => {
    const body = records.map((one) => JSON.stringify(one)).join('\n');
    expect((await push(subject, loggers.get(await table(name)) ?? '', { body })).status).toBe(200);
  };
  const begun = async (q: string) => {
    const id = await openCursor(subject, q);
    await reached(subject, id, ({ commands }) => commands.at(0).status === 'Running');
    return id;
  };
  const stored = async (name: string) =>
    (await rowsOf(subject, `table order=asc ${name} | fields n`)).map(({ n }) => n);
  /** Rows may be a second behind: time passes while it is asked. */
  const soon = <T>(ask: () => T | Promise<T>, isSo: (answer: T) => boolean): Promise<T> =>
    until(() => {
      subject.clock.advance({ milliseconds: 500 });
      return ask();
    }, isSo);
  const storedSoon = (name: string, count: number) =>
    soon(
      () => stored(name),
      ({ length }) => length >= count,
    );
  const counts = ({ commands }: Wire) => commands.map(({ push_count }: Wire) => push_count);
  const lines = (path: string) => readFileSync(join(folder, path), 'utf8').trim().split('\n');

  it('imports rows as they come, and hands them on', async () => {
    await Promise.all([table('web'), table('one')]);
    const id = await begun('table window=1h web | search n > 0 | eval m = n * 2 | import one | fields m');
    await arrive('web', { n: 1 }, { n: 0 });
    expect(await storedSoon('one', 1)).toEqual([1]);
    await arrive('web', { n: 2 });
    expect(await storedSoon('one', 2)).toEqual([1, 2]);
    expect(await statusOf(subject, id)).toMatchObject({ is_finished: false, rows: 2 });
    subject.clock.advance({ hours: 1 });
    expect(counts(await finished(subject, id))).toEqual([3, 2, 2, 2, 2]);
    expect(await stored('one')).toEqual([1, 2]);
  });

  it('does so behind evalc, before other sinks, limits and groups', async () => {
    await Promise.all(['web', 'all', 'some', 'few'].map(table));
    const id = await begun(
      'table window=1h web | evalc t = $("t", 0) + n | eval s = $("t"), g = guid() | import all ' +
        '| search n > 1 | import some | limit 1 | import few | stats count, max(s) as s',
    );
    await arrive('web', { n: 1 }, { n: 2 }, { n: 3 });
    expect(await storedSoon('all', 3)).toEqual([1, 2, 3]);
    expect(await storedSoon('some', 2)).toEqual([2, 3]);
    expect(await storedSoon('few', 1)).toEqual([2]);
    await arrive('web', { n: 4 });
    expect(await storedSoon('all', 4)).toEqual([1, 2, 3, 4]);
    subject.clock.advance({ hours: 1 });
    const status = await finished(subject, id);
    expect(status.error_detail).toBeUndefined();
    expect(counts(status)).toEqual([4, 4, 4, 4, 3, 3, 1, 1, 1]);
    expect((await rowsFrom(subject, id)).text).toBe('{"count":1,"s":3}\n');
    const [row] = await rowsOf(subject, 'table all, some, few | stats dc(g) as ids, max(s) as s');
    expect(row).toEqual({ ids: 4, s: 10 });
  });

  it('keeps what has been written at a cancel, and tells the audit trail', async () => {
    await Promise.all([table('web'), table('kept')]);
    const entries = await entriesOf(subject, async () => {
      const id = await begun('table window=1h web | import kept');
      await arrive('web', { n: 1 }, { n: 2 });
      expect(await storedSoon('kept', 2)).toEqual([1, 2]);
      await cancel(subject, id);
      expect(await finished(subject, id)).toMatchObject({ is_cancelled: true });
    });
    expect(await stored('kept')).toEqual([1, 2]);
    const imports = entries.filter(({ method }: Wire) => method === 'import');
    expect(imports).toMatchObject([{ msg_params: { table: 'kept', rows: 2 } }]);
  });

  it('keeps what has been written when a later command fails', async () => {
    await Promise.all([table('web'), table('sure')]);
    const id = await begun(
      'table window=1h web | import sure | repeat count=20000 | eval k = seq() | pivot count cols k',
    );
    await arrive('web', { n: 1 });
    expect(await storedSoon('sure', 1)).toEqual([1]);
    subject.clock.advance({ hours: 1 });
    expect((await finished(subject, id)).error_detail).toBe('columns: 20000 is more than 10000');
    expect(await stored('sure')).toEqual([1]);
  });

  it('writes files, a lookup and their rows as they come', async () => {
    await table('web');
    const id = await begun(
      'table window=1h web | outputcsv a.csv n, u | outputjson partition=t "by/{logtime:yyyy}.json" n ' +
        '| outputtxt b.txt n | outputlookup key=u seen n',
    );
    await arrive('web', { n: 1, u: 'a', _time: '2023-01-01 00:00:00+0000' });
    await soon(() => ['a.csv', 'b.txt'].every((path) => existsSync(join(folder, path))), Boolean);
    expect(lines('a.csv')).toEqual(['n,u', '1,a']);
    await arrive('web', { n: 2, u: 'b' }, { n: 3, u: 'a' });
    await soon(
      () => lines('a.csv').length + lines('b.txt').length,
      (count) => count === 7,
    );
    expect(lines('a.csv')).toEqual(['n,u', '1,a', '2,b', '3,a']);
    await soon(
      () => readdirSync(join(folder, 'by')).length,
      (count) => count === 2,
    );
    expect(lines('by/2023.json')).toEqual(['{"n":1}']);
    const seen = () => rowsOf(subject, 'lookuptable seen');
    expect(await soon(seen, ({ length }) => length === 2)).toEqual([
      { u: 'a', n: 1 },
      { u: 'b', n: 2 },
    ]);
    expect(await statusOf(subject, id)).toMatchObject({ is_finished: false });
    await cancel(subject, id);
    await finished(subject, id);
    expect(lines('a.csv')).toHaveLength(4);
    expect(await seen()).toHaveLength(2);
    expect(readdirSync(join(folder, '.unfinished'))).toEqual([]);
  });

  it('fails at once where rows cannot be written', async () => {
    await table('web');
    const late = await begun('table window=1h web | outputcsv late.csv n');
    await rowsOf(subject, 'json "{n:7}" | outputcsv late.csv n');
    await arrive('web', { n: 1 });
    expect((await finished(subject, late)).error_detail).toContain('late.csv exists');
    expect(lines('late.csv')).toEqual(['n', '7']);
  });

  it('stays all or nothing in a table that the window reads, and without a window', async () => {
    await table('web');
    const before = (await stored('web')).length;
    const id = await begun('table window=1m web | search kind == "loop" | import web');
    await arrive('web', { n: 90, kind: 'loop' });
    subject.clock.advance({ minutes: 1 });
    await finished(subject, id);
    expect((await stored('web')).length).toBe(before + 2);
    await table('none');
    await rowsOf(
      subject,
      'json "{n:1}" | import none | repeat count=20000 | eval k = seq() | pivot count cols k',
    ).catch(() => []);
    expect(await stored('none')).toEqual([]);
  });

  it('writes what the window has had when it ends', async () => {
    await Promise.all([table('web'), table('last')]);
    const id = await begun('table window=1s web | import last | outputcsv empty.csv n | search n == "never"');
    await arrive('web', { n: 1 });
    subject.clock.advance({ seconds: 1 });
    await finished(subject, id);
    expect(await stored('last')).toEqual([1]);
    expect(lines('empty.csv')).toEqual(['n', '1']);
    const without = await begun('table window=1s web | outputcsv nothing.csv n');
    subject.clock.advance({ seconds: 1 });
    await finished(subject, without);
    expect(lines('nothing.csv')).toEqual(['n']);
  });

  it('keeps what has been written over a restart', async () => {
    await Promise.all([table('web'), table('through')]);
    await begun('table window=1h web | import through');
    await arrive('web', { n: 1 }, { n: 2 });
    expect(await storedSoon('through', 2)).toEqual([1, 2]);
    await subject.service.restart();
    expect(await stored('through')).toEqual([1, 2]);
  });
});
