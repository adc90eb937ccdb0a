// File drivers through the service: which files are read, by whom, and what hostile files and folders cost.

import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { rowsOf } from '#test/support/logs.ts';
import { finished, openCursor, ran } from '#test/support/queries.ts';
import { serviceFor } from '#test/support/suites.ts';
import { zipOf } from '#test/support/zip-writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'vigil-imports-'));
const first = join(folder, 'first');
const second = join(folder, 'second');
const LONG_LINE = `${'x'.repeat(1023)}\n`;
const LINES = 400_000;

beforeAll(() => {
  for (const path of [first, second, join(first, 'deep'), join(folder, 'outside')]) mkdirSync(path);
  writeFileSync(join(first, 'a.txt'), 'x\ny\n');
  writeFileSync(join(first, 'b.txt'), 'z');
  writeFileSync(join(second, 'a.txt'), 'of the second');
  writeFileSync(join(second, 'only.txt'), 'of the second');
  writeFileSync(join(first, 'deep', 'a.csv'), 'user,n\nkim,1\nlee,2\n');
  writeFileSync(join(first, 'with blank.txt'), 'b');
  writeFileSync(join(folder, 'outside', 'secret.txt'), 'secret');
  writeFileSync(join(first, 'korean.txt'), Buffer.from('b7ceb1d70a', 'hex'));
  symlinkSync(join(folder, 'outside', 'secret.txt'), join(first, 'leads-out.txt'));
  symlinkSync(join(folder, 'outside', 'nothing.txt'), join(first, 'leads-nowhere.txt'));
  symlinkSync(join(folder, 'outside'), join(first, 'folder-out'));
  symlinkSync('a.txt', join(first, 'inside.log'));
  writeFileSync(join(first, 'packed.txt.gz'), Buffer.concat([gzipSync('x\n'), gzipSync('y\n')]));
  writeFileSync(join(first, 'damaged.txt.gz'), gzipSync('x\n'.repeat(1000)).subarray(0, 30));
  writeFileSync(join(first, 'bomb.txt.gz'), gzipSync(Buffer.alloc(2 ** 26, LONG_LINE)));
  writeFileSync(join(first, 'line.txt'), Buffer.alloc(2 ** 22, 'x'));
  for (let part = 0; part < 8; part += 1) {
    appendFileSync(join(first, 'many.log'), Array.from({ length: LINES / 8 }, (_, n) => `line ${n}\n`).join(''));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('A file driver', () => {
  const subject = serviceFor({ flags: { 'import-folders': `${first},${second}` } });
  const linesOf = async (q: string) => (await rowsOf(subject, q)).map(({ line }) => line);
  const failure = async (q: string) => {
    const answer = await subject.call('GET', `/api/core/query?q=${encodeURIComponent(q)}`);
    return `${answer.json?.error_msg ?? answer.text}`;
  };

  it('reads lines with the path of their file, relative or absolute', async () => {
    expect(await rowsOf(subject, 'textfile a.txt')).toEqual([
      { line: 'x', _file: join(first, 'a.txt') },
      { line: 'y', _file: join(first, 'a.txt') },
    ]);
    expect(await linesOf(`textfile ${join(second, 'a.txt')}`)).toEqual(['of the second']);
    expect(await linesOf('textfile only.txt')).toEqual(['of the second']);
    expect(await linesOf('textfile "with blank.txt"')).toEqual(['b']);
    expect(await linesOf('textfile deep/../a.txt | limit 1')).toEqual(['x']);
    expect(await linesOf('textfile inside.log')).toEqual(['x', 'y']);
    expect(await linesOf('textfile cs=EUC-KR korean.txt')).toEqual(['로그']);
  });

  it('reads all files that fit, in the order of their names, cut as one', async () => {
    const only = `${join(first, '?.txt')}`.replace('?', '*');
    expect(await failure(`textfile ${only}`)).toContain('(10800)');
    unlinkSync(join(first, 'leads-out.txt'));
    expect(await linesOf('textfile offset=1 limit=2 [a-z].txt'.replace('[a-z]', '*'))).toEqual(['y', 'z']);
    symlinkSync(join(folder, 'outside', 'secret.txt'), join(first, 'leads-out.txt'));
  });

  it('hands its rows to the commands behind it', async () => {
    expect(await rowsOf(subject, 'csvfile deep/a.csv | stats sum(n) as n, values(user) as u')).toEqual([
      { n: 3, u: ['kim', 'lee'] },
    ]);
    const joined = `json "{user:'lee'}" | join user [ csvfile deep/a.csv ] | fields user, n`;
    expect(await rowsOf(subject, joined)).toEqual([{ user: 'lee', n: '2' }]);
    const status = await ran(subject, 'textfile many.log | search line == "line 7" | stats count');
    expect(status).toMatchObject({ rows: 1, is_finished: true });
    expect(status.commands.map(({ push_count }: { push_count: number }) => push_count)).toEqual([LINES, 8, 1]);
  });

  it('unpacks', async () => {
    expect(await linesOf('textfile packed.txt.gz')).toEqual(['x', 'y']);
    const text = 'x\n'.repeat(3);
    const plain = zipOf([
      { name: 'b.log', text },
      { name: 'a.log', text: 'a', isStored: true },
      { name: 'c.txt', text },
      { name: 'dir/', text: '' },
    ]);
    writeFileSync(join(first, 'plain.zip'), plain);
    expect(await rowsOf(subject, 'zipfile plain.zip *.log | stats count by _entry')).toEqual([
      { _entry: 'a.log', count: 1 },
      { _entry: 'b.log', count: 3 },
    ]);
    writeFileSync(join(first, 'large.zip'), zipOf([{ name: 'a', text, isLarge: true }]));
    expect(await linesOf('zipfile large.zip a')).toEqual(['x', 'x', 'x']);
    expect(await failure('zipfile plain.zip none')).toContain('(10801) there is no file none');
  });

  it.each([
    ['textfile /etc/hosts', '(10800) the path is not below an import folder'],
    ['textfile /no/such/file', '(10800)'],
    ['textfile ../outside/secret.txt', '(10800)'],
    ['textfile FIRST/../outside/secret.txt', '(10800)'],
    ['textfile FIRSTly', '(10800)'],
    ['textfile FIRST', '(10800)'],
    ['textfile leads-out.txt', '(10800)'],
    ['textfile leads-nowhere.txt', '(10800)'],
    ['textfile folder-out/secret.txt', '(10800)'],
    ['textfile folder-out/none.txt', '(10800)'],
    ['textfile folder-out/*.txt', '(10800)'],
    ['textfile none.txt', '(10801) there is no file none.txt'],
    ['textfile none/*.txt', '(10801)'],
    ['textfile *.none', '(10801)'],
    ['textfile deep', '(10801)'],
    ['textfile damaged.txt.gz', '(10801)'],
    ['zipfile a.txt *', '(10801)'],
    ['textfile bomb.txt.gz | stats count', '(10803) size of the file:'],
    ['textfile line.txt', '(10803) size of the file:'],
    ['textfile limit=x a.txt', '(10006)'],
    ['textfile encoding=latin1 a.txt', '(30104) there is no encoding latin1'],
    ['textfile cs=utf-8 encoding=utf-8 a.txt', '(90007)'],
    ['zipfile a.zip', '(99000)'],
  ])('refuses %s', async (q, message) => {
    expect(await failure(q.replace('FIRST', first))).toContain(message);
  });

  it('refuses what is no plain file, without waiting for it', async () => {
    execFileSync('mkfifo', [join(first, 'pipe.txt')]);
    const socket = createServer().listen(join(first, 'socket.txt'));
    expect(await failure('textfile pipe.txt')).toContain('(10801)');
    expect(await failure('textfile socket.txt')).toContain('(10801)');
    socket.close();
    unlinkSync(join(first, 'pipe.txt'));
  });

  it('refuses archives that lie', async () => {
    const text = 'x\n'.repeat(100);
    const entries = [{ name: 'a', text }];
    const whole = zipOf(entries);
    const hostile: readonly [string, Buffer, string][] = [
      ['bomb', zipOf([{ name: 'a', text: Buffer.alloc(2 ** 24, LONG_LINE) }]), '10803'],
      ['sum', zipOf([{ name: 'a', text, checksum: 1 }]), '10801'],
      ['secret', zipOf([{ name: 'a', text, isEncrypted: true }]), '10801'],
      ['cut', whole.subarray(20), '10801'],
      ['empty', Buffer.alloc(0), '10801'],
      ['end', whole.subarray(-22), '10801'],
    ];
    for (const [name, bytes, code] of hostile) {
      writeFileSync(join(first, `${name}.zip`), bytes);
      expect(await failure(`zipfile ${name}.zip a | stats count`), name).toContain(`(${code})`);
    }
    for (let at = 0; at < whole.length; at += 13) {
      const damaged = Buffer.from(whole);
      damaged.fill(0xff, at, Math.min(whole.length, at + 4));
      writeFileSync(join(first, 'damaged.zip'), damaged);
      const answer = await subject.call('GET', `/api/core/query?q=${encodeURIComponent('zipfile damaged.zip a')}`);
      expect([200, 400], `${at}: ${answer.text}`).toContain(answer.status);
    }
  });

  it('reads the file whose path was compared, though links change all the time', async () => {
    const link = join(first, 'swapped.txt');
    const next = join(first, 'next.txt');
    const targets = [join(first, 'a.txt'), join(folder, 'outside', 'secret.txt')];
    let isOver = false;
    const swapping = (async () => {
      for (let turn = 0; !isOver; turn += 1) {
        symlinkSync(targets[turn % 2] ?? '', next);
        renameSync(next, link);
        await new Promise(setImmediate);
      }
    })();
    const seen = new Set<string>();
    for (let turn = 0; turn < 60; turn += 1) {
      const answer = await subject.call('GET', `/api/core/query?q=${encodeURIComponent('textfile swapped.txt')}`);
      expect(answer.text).not.toContain('secret"');
      seen.add(answer.status === 200 ? 'read' : answer.text.includes('(10800)') ? 'refused' : answer.text);
    }
    isOver = true;
    await swapping;
    expect([...seen].filter((outcome) => outcome !== 'read' && outcome !== 'refused')).toEqual([]);
  });

  it('stops reading where a limit is satisfied or the query is cancelled', async () => {
    const limited = await ran(subject, 'textfile many.log | limit 3');
    expect(limited).toMatchObject({ rows: 3, is_finished: true, is_cancelled: false });
    const id = await openCursor(subject, 'textfile many.log | eval w = concat(line, line) | sort w');
    await subject.call('POST', `/api/core/queries/${id}/cancel`);
    expect(await finished(subject, id)).toMatchObject({ is_cancelled: true });
  });

  it('is for administrators; a procedure reads with the rights of its owner', async () => {
    const { key, guid } = await createAccount(subject, 'MEMBER', { login: 'reader' });
    const asked = (q: string) => subject.call('GET', `/api/core/query?q=${encodeURIComponent(q)}`, { key });
    expect((await asked('textfile a.txt')).text).toContain('(10802) no right to read file a.txt');
    const procedure = async (name: string, query: string, parameters: readonly object[] = []) => {
      const form = { name, query, parameters: JSON.stringify(parameters), granted_user_guids: guid };
      expect((await subject.call('POST', '/api/core/procedures', { form })).status).toBe(200);
    };
    await procedure('bounded', 'textfile b.txt');
    await procedure('open', 'textfile $("path")', [{ key: 'path', name: 'path', type: 'string' }]);
    expect((await asked('proc bounded()')).text).toContain('"z"');
    expect((await asked('proc open("b.txt")')).text).toContain('(10802)');
    expect((await rowsOf(subject, 'proc open("b.txt")')).map(({ line }) => line)).toEqual(['z']);
  });

  it('is on record with its paths, before it reads', async () => {
    const entries = await entriesOf(subject, () => ran(subject, 'csvfile deep/*.csv | search n == 1'));
    const read = entries.filter(({ method }) => method === 'read-files');
    expect(read.map(({ msg_params: { query_id: _, ...others } }) => others)).toEqual([
      { paths: [join(first, 'deep', 'a.csv')], count: 1 },
    ]);
    expect(read[0]?.msg).toContain('Reading of 1 files by query csvfile');
    const failed = await entriesOf(subject, () => ran(subject, 'textfile line.txt'));
    expect(failed.filter(({ method }) => method === 'read-files')).toHaveLength(1);
  });

  it('names its place in the text where a file is too large', async () => {
    const status = await ran(subject, 'json "{}" | union [ textfile line.txt ]');
    expect(status).toMatchObject({ error_code: 10803, is_cancelled: true });
  });
});

describe('Without import folders', () => {
  const subject = serviceFor({});

  it('no file can be read', async () => {
    for (const path of ['a.txt', '/etc/hosts', join(first, 'a.txt')]) {
      const { text } = await subject.call('GET', `/api/core/query?q=${encodeURIComponent(`textfile ${path}`)}`);
      expect(text).toContain('(10800)');
    }
  });
});
