// Files that are followed while they are written to, rotated, emptied and removed.

import {
  appendFileSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { lines, loggerRecord, metricOf } from '#test/support/collected-logs.ts';
import { createCollector } from '#test/support/collectors.ts';
import { rowsOf } from '#test/support/logs.ts';
import { onEachDatabase } from '#test/support/suites.ts';

const root = mkdtempSync(join(tmpdir(), 'vigil-files-'));
const allowed = join(root, 'allowed');
mkdirSync(allowed);
afterAll(() => rmSync(root, { recursive: true, force: true }));

const LOGGERS = '/api/core/loggers';

onEachDatabase(
  'A file',
  (subject) => {
    let count = 0;
    /** A folder, and a table of the same name, for one test. */
    const setUp = () => {
      count += 1;
      const table = `files${subject.database}${count}`;
      const folder = join(allowed, table);
      mkdirSync(folder);
      return { table, folder, file: join(folder, 'app.log') };
    };
    const follow = (table: string, configs: Readonly<Record<string, unknown>>, fields = {}) =>
      createCollector(subject, { table, factory: 'file', configs, fields });

    it('is read from its end on, and from its start where it came later or that is wanted', async () => {
      const { table, folder, file } = setUp();
      writeFileSync(file, 'old 1\nold 2\nbegun');
      const guid = await follow(table, { path: folder, pattern: '*.log' });
      expect(await loggerRecord(subject, guid)).toMatchObject({ status: 'running', failure: null, is_passive: false });
      appendFileSync(file, ' and ended\r\nnew\n');
      writeFileSync(join(folder, 'later.log'), 'later 1\n\n  \nlater 2\n');
      writeFileSync(join(folder, 'later.txt'), 'not meant\n');
      writeFileSync(join(folder, 'later.log.gz'), gzipSync('not meant\n'));
      expect(await lines(subject, table, 4)).toEqual(['begun and ended', 'new', 'later 1', 'later 2']);
      await expect.poll(() => loggerRecord(subject, guid)).toMatchObject({ log_count: 4, drop_count: 0 });
      const all = setUp();
      writeFileSync(all.file, 'old\n');
      await follow(all.table, { path: all.file, from: 'start' });
      expect(await lines(subject, all.table, 1)).toEqual(['old']);
    });

    it('whose last line has no end yet waits for it', async () => {
      const { table, file } = setUp();
      writeFileSync(file, '');
      await follow(table, { path: file });
      appendFileSync(file, 'one\ntw');
      expect(await lines(subject, table, 1)).toEqual(['one']);
      expect(await lines(subject, table, 1)).toEqual(['one']);
      appendFileSync(file, 'o\nthree\n');
      expect(await lines(subject, table, 3)).toEqual(['one', 'two', 'three']);
    });

    it.each(['app.log', 'app.log*'])(
      'that is renamed and made anew loses and repeats nothing, by the name %s',
      async (pattern) => {
        const { table, folder, file } = setUp();
        writeFileSync(file, '');
        await follow(table, { path: folder, pattern });
        const written: string[] = [];
        const write = (path: string, text: string) => {
          written.push(text);
          appendFileSync(path, `${text}\n`);
        };
        for (let round = 1; round <= 3; round += 1) {
          write(file, `${round} seen`);
          await lines(subject, table, written.length);
          write(file, `${round} unseen`);
          renameSync(file, `${file}.${round}`);
          write(`${file}.${round}`, `${round} after the renaming`);
          write(file, `${round} in the new one`);
          expect((await lines(subject, table, written.length)).sort()).toEqual(written.toSorted());
          write(`${file}.${round}`, `${round} late`);
          expect((await lines(subject, table, written.length)).sort()).toEqual(written.toSorted());
        }
        appendFileSync(file, 'without an end');
        renameSync(file, `${file}.4`);
        writeFileSync(file, 'next\n');
        written.push('without an end', 'next');
        expect((await lines(subject, table, written.length)).sort()).toEqual(written.toSorted());
      },
    );

    it.each(['app.log', 'app.log*'])(
      'that is copied and emptied loses and repeats nothing, by the name %s',
      async (pattern) => {
        const { table, folder, file } = setUp();
        writeFileSync(file, '');
        await follow(table, { path: folder, pattern });
        const written: string[] = [];
        const write = (text: string) => {
          written.push(text);
          appendFileSync(file, `${text}\n`);
        };
        for (let round = 1; round <= 3; round += 1) {
          write(`${round} seen`);
          await lines(subject, table, written.length);
          write(`${round} unseen`);
          copyFileSync(file, `${file}.${round}`);
          // A look between the two steps finds a copy, which is nothing new.
          if (round > 1) await lines(subject, table, written.length);
          truncateSync(file);
          // Longer than what was there before, in the last round.
          for (let more = round === 3 ? 40 : 1; more > 0; more -= 1) write(`${round} after ${more}`);
          expect(await lines(subject, table, written.length)).toEqual(written);
        }
      },
    );

    it('that is emptied, or replaced by another, is read from its start', async () => {
      const { table, file } = setUp();
      writeFileSync(file, '');
      await follow(table, { path: file });
      appendFileSync(file, 'one\n');
      expect(await lines(subject, table, 1)).toEqual(['one']);
      truncateSync(file);
      expect(await lines(subject, table, 1)).toEqual(['one']);
      appendFileSync(file, 'two, longer than the first\n');
      expect(await lines(subject, table, 2)).toEqual(['one', 'two, longer than the first']);
      appendFileSync(file, 'three\n');
      unlinkSync(file);
      writeFileSync(file, 'four\n');
      const all = ['one', 'two, longer than the first', 'three', 'four'];
      expect(await lines(subject, table, 4)).toEqual(all);
      writeFileSync(`${file}.new`, 'five\n');
      renameSync(`${file}.new`, file);
      expect(await lines(subject, table, 5)).toEqual([...all, 'five']);
    });

    it('is gone on with after a stop, whatever happened to it meanwhile', async () => {
      const { table, folder, file } = setUp();
      writeFileSync(file, 'old\n');
      const guid = await follow(table, { path: folder, pattern: 'app.log*' });
      appendFileSync(file, '1\n');
      const written = ['1'];
      expect(await lines(subject, table, 1)).toEqual(written);
      await subject.call('POST', `${LOGGERS}/${guid}/disable`);
      appendFileSync(file, '2\n');
      renameSync(file, `${file}.1`);
      writeFileSync(file, '3\n');
      await subject.call('POST', `${LOGGERS}/${guid}/enable`);
      written.push('2', '3');
      expect(await lines(subject, table, 3)).toEqual(written);
      await subject.service.stop();
      appendFileSync(file, '4\n');
      copyFileSync(file, `${file}.2`);
      truncateSync(file);
      appendFileSync(file, '5\n');
      await subject.service.restart();
      written.push('4', '5');
      expect(await lines(subject, table, 5)).toEqual(written);
      await subject.service.restart();
      appendFileSync(file, '6\n');
      expect(await lines(subject, table, 6)).toEqual([...written, '6']);
    });

    it('is left alone once the logger is to follow another; one that it knows is gone on with', async () => {
      const { table, folder, file } = setUp();
      const other = join(folder, 'other.log');
      writeFileSync(file, '');
      writeFileSync(other, 'other 1\n');
      const guid = await follow(table, { path: file });
      appendFileSync(file, '1\n');
      expect(await lines(subject, table, 1)).toEqual(['1']);
      const { model_guid } = await loggerRecord(subject, guid);
      const turnTo = (configs: object) =>
        subject.call('PUT', `${LOGGERS}/${guid}`, {
          json: { model_guid, name: table, table_name: table, enabled: true, configs },
        });
      await turnTo({ path: other });
      appendFileSync(file, 'unseen\n');
      appendFileSync(other, 'other 2\n');
      expect(await lines(subject, table, 2)).toEqual(['1', 'other 2']);
      await turnTo({ path: folder, pattern: '*.log' });
      appendFileSync(file, '2\n');
      appendFileSync(other, 'other 3\n');
      expect((await lines(subject, table, 4)).sort()).toEqual(['1', '2', 'other 2', 'other 3']);
    });

    it('that begins like a longer one beside it is read all the same', async () => {
      const { table, folder } = setUp();
      const banner = Array.from({ length: 20 }, (_, index) => `# ${index} ${'-'.repeat(100)}`);
      writeFileSync(join(folder, 'app.monday.log'), `${banner.join('\n')}\nmonday 1\nmonday 2\n`);
      await follow(table, { path: folder, pattern: '*.log' });
      writeFileSync(join(folder, 'app.tuesday.log'), `${banner.join('\n')}\ntuesday\n`);
      expect(await lines(subject, table, 21)).toEqual([...banner, 'tuesday']);
    });

    it('that begins as another of the same stem is read after five minutes, and counted', async () => {
      const { table, folder } = setUp();
      const write = (day: number, text: string) => writeFileSync(join(folder, `backup.2026-11-${day}.log`), text);
      write(16, 'backup begun\nbackup ended\n');
      const guid = await follow(table, { path: folder, pattern: '*.log', from: 'start' });
      const first = ['backup begun', 'backup ended'];
      expect(await lines(subject, table, 2)).toEqual(first);
      write(17, 'backup begun\nbackup ended\n');
      write(18, 'backup begun\n');
      expect(await lines(subject, table, 2)).toEqual(first);
      await expect.poll(() => metricOf(subject, 'vigil_files_held_back_total', guid)).toBe(2);
      subject.clock.advance({ minutes: 5 });
      expect((await lines(subject, table, 5)).sort()).toEqual([...first, ...first, 'backup begun'].sort());
      expect(await metricOf(subject, 'vigil_files_held_back_total', guid)).toBe(2);
      appendFileSync(join(folder, 'backup.2026-11-18.log'), 'backup failed\n');
      expect((await lines(subject, table, 6)).at(-1)).toBe('backup failed');
    });

    it.each([false, true])(
      'that is rewritten longer between two looks is read from its start, stopped meanwhile %s',
      async (isStopped) => {
        const { table, file } = setUp();
        const banner = Array.from({ length: 20 }, (_, index) => `# ${index} ${'-'.repeat(100)}`);
        const contentOf = (...own: readonly string[]) => `${[...banner, ...own].join('\n')}\n`;
        writeFileSync(file, '');
        await follow(table, { path: file, from: 'start' });
        appendFileSync(file, contentOf('monday'));
        const read = [...banner, 'monday'];
        expect(await lines(subject, table, read.length)).toEqual(read);
        if (isStopped) await subject.service.stop();
        writeFileSync(file, contentOf('tuesday 1', 'tuesday 2'));
        if (isStopped) await subject.service.restart();
        const all = [...read, ...banner, 'tuesday 1', 'tuesday 2'];
        expect(await lines(subject, table, all.length)).toEqual(all);
        appendFileSync(file, 'tuesday 3\n');
        expect(await lines(subject, table, all.length + 1)).toEqual([...all, 'tuesday 3']);
      },
    );

    it('is text of its charset', async () => {
      const cases = [
        ['utf-8', Buffer.from('\ufeff한글\r\n둘\n')],
        ['euc-kr', Buffer.from([0xc7, 0xd1, 0xb1, 0xdb, 0x0d, 0x0a, 0xb5, 0xd1, 0x0a])],
        ['cp949', Buffer.from([0xc7, 0xd1, 0xb1, 0xdb, 0x0a, 0xb5, 0xd1, 0x0a])],
        ['utf-16le', Buffer.from('\ufeff한글\r\n둘\n', 'utf16le')],
        ['utf-16be', Buffer.from('\ufeff한글\r\n둘\n', 'utf16le').swap16()],
      ] as const;
      for (const [charset, bytes] of cases) {
        const { table, file } = setUp();
        writeFileSync(file, bytes);
        await follow(table, { path: file, from: 'start', charset });
        expect(await lines(subject, table, 2), charset).toEqual(['한글', '둘']);
      }
      // Who says euc-kr often means what Windows adds to it.
      const { table, file } = setUp();
      writeFileSync(file, Buffer.from('8c63b9e6b0a2c7cf20bc840a', 'hex'));
      await follow(table, { path: file, from: 'start', charset: 'euc-kr' });
      expect(await lines(subject, table, 1)).toEqual(['똠방각하 펲']);
    });

    it('with lines that are too long has them cut, kept as text and counted', async () => {
      const { table, file } = setUp();
      writeFileSync(file, `${'a'.repeat(5000)}\nshort\n${'b'.repeat(3_000_000)}`);
      const guid = await follow(table, { path: file, from: 'start' });
      expect(await lines(subject, table, 2)).toEqual(['a'.repeat(1000), 'short']);
      appendFileSync(file, `${'b'.repeat(2_000_000)}\nlast\n`);
      expect(await lines(subject, table, 4)).toEqual(['a'.repeat(1000), 'short', 'b'.repeat(1000), 'last']);
      await expect.poll(() => metricOf(subject, 'vigil_malformed_records_total', guid)).toBe(2);
    });

    it('is read only where it lies in an allowed folder, links followed', async () => {
      const { table, folder } = setUp();
      writeFileSync(join(root, `secret${table}.log`), 'secret\n');
      symlinkSync(join(root, `secret${table}.log`), join(folder, 'link.log'));
      mkdirSync(join(root, `elsewhere${table}`));
      writeFileSync(join(root, `elsewhere${table}`, 'x.log'), 'secret\n');
      symlinkSync(join(root, `elsewhere${table}`), join(folder, 'sub'));
      writeFileSync(join(folder, 'plain.log'), 'plain\n');
      await follow(table, { path: folder, pattern: '**/*.log', from: 'start' });
      expect(await lines(subject, table, 1)).toEqual(['plain']);
      expect(await lines(subject, table, 1)).toEqual(['plain']);
    });

    it('that has several names is read once', async () => {
      const { table, folder, file } = setUp();
      writeFileSync(file, 'one\n');
      symlinkSync(file, join(folder, 'current.log'));
      linkSync(file, join(folder, 'other.log'));
      await follow(table, { path: folder, pattern: '*.log', from: 'start' });
      expect(await lines(subject, table, 1)).toEqual(['one']);
      appendFileSync(file, 'two\n');
      expect(await lines(subject, table, 2)).toEqual(['one', 'two']);
    });

    it('is looked for at the moments of a schedule, if there is one', async () => {
      const { table, file } = setUp();
      writeFileSync(file, 'one\n');
      await follow(table, { path: file, from: 'start' }, { cron_schedule: '30 * * * *' });
      const now = subject.clock.now().toZonedDateTimeISO('UTC');
      const half = now.with({ minute: 30, second: 0, millisecond: 0, microsecond: 0, nanosecond: 0 });
      const next = now.epochMilliseconds < half.epochMilliseconds ? half : half.add({ hours: 1 });
      subject.clock.leap(now.until(next.subtract({ seconds: 1 }), { largestUnit: 'hours' }));
      await new Promise(setImmediate);
      expect(await rowsOf(subject, `table ${table}`)).toEqual([]);
      expect(await lines(subject, table, 1)).toEqual(['one']);
    });

    it('in a folder that is not there yet is waited for', async () => {
      const { table, folder } = setUp();
      const path = join(folder, 'not yet');
      const guid = await follow(table, { path, pattern: '*.log' });
      expect(await loggerRecord(subject, guid)).toMatchObject({
        status: 'stopped',
        failure: `folder is not readable: ${path}`,
      });
      mkdirSync(path);
      const status = async () => {
        subject.clock.advance({ seconds: 60 });
        return (await loggerRecord(subject, guid)).status;
      };
      await expect.poll(status).toBe('running');
      writeFileSync(join(path, 'x.log'), 'here\n');
      expect(await lines(subject, table, 1)).toEqual(['here']);
    });
  },
  { flags: { 'collect-folders': allowed, 'line-limit': '1000', metrics: 'closed' } },
);
