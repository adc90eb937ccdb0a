// File sinks through the service: what is written, where, by whom, and what is left when something goes wrong.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { createLogger, push, rowsOf, sent } from '#test/support/logs.ts';
import { ENDLESS_JSON, finished, openCursor, ran, reached } from '#test/support/queries.ts';
import { serviceFor } from '#test/support/suites.ts';

const folder = mkdtempSync(join(tmpdir(), 'vigil-exports-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('A file sink', () => {
  const subject = serviceFor({ flags: { 'export-folder': join(folder, 'out') } });
  const at = (path: string) => join(folder, 'out', path);
  const text = (path: string) => readFileSync(at(path), 'utf8');
  const unfinished = () => (existsSync(at('.unfinished')) ? readdirSync(at('.unfinished')) : []);
  const done = async (q: string) => {
    const status = await ran(subject, q);
    expect([status.error_code, status.error_detail]).toEqual([undefined, undefined]);
    return status;
  };
  const failure = async (q: string) => {
    const answer = await subject.call('GET', `/api/core/query?q=${encodeURIComponent(q)}`);
    return answer.json?.error_msg ?? answer.text;
  };
  const THREE = `json "[{n:1,w:'a'},{n:2,w:'b,c'},{n:3,w:'say \\"x\\"'}]"`;

  it('writes rows and passes them on', async () => {
    const rows = await rowsOf(subject, `${THREE} | outputcsv deep/er/a.csv n, w, none | search n > 2`);
    expect(rows).toEqual([{ n: 3, w: 'say "x"' }]);
    expect(text('deep/er/a.csv')).toBe('n,w,none\n1,a,\n2,"b,c",\n3,"say ""x""",\n');
    expect(statSync(at('deep/er/a.csv')).mode & 0o777).toBe(0o600);
    expect(unfinished()).toEqual([]);
  });

  it.each([
    ['csv with tabs', 'outputcsv tab=t FILE w, n', Buffer.from('w\tn\na\t1\nb,c\t2\n"say ""x"""\t3\n')],
    ['csv with a mark', 'outputcsv bom=t FILE n', Buffer.from('\uFEFFn\n1\n2\n3\n')],
    ['csv in utf-16', 'outputcsv bom=t encoding=utf-16le FILE n', Buffer.from('\uFEFFn\n1\n2\n3\n', 'utf16le')],
    ['json', 'outputjson FILE', Buffer.from('{"n":1,"w":"a"}\n{"n":2,"w":"b,c"}\n{"n":3,"w":"say \\"x\\""}\n')],
    ['json of some fields', 'outputjson FILE w, none', Buffer.from('{"w":"a"}\n{"w":"b,c"}\n{"w":"say \\"x\\""}\n')],
    ['text', 'outputtxt FILE n, w', Buffer.from('1 a\n2 b,c\n3 say "x"\n')],
    [
      'text with a delimiter',
      'outputtxt delimiter=" - " FILE w, none, n',
      Buffer.from('a -  - 1\nb,c -  - 2\nsay "x" -  - 3\n'),
    ],
  ])('writes %s', async (name, command, bytes) => {
    const path = `forms/${name.replaceAll(' ', '-')}`;
    await done(`${THREE} | ${command.replace('FILE', path)}`);
    expect(readFileSync(at(path))).toEqual(bytes);
  });

  it('writes Korean in its old encodings, and a question mark for what they lack', async () => {
    const q = `json "{t:'가똠é'}"`;
    for (const encoding of ['euc-kr', 'cp949', 'us-ascii']) {
      await done(`${q} | outputcsv encoding=${encoding} old/${encoding} t`);
    }
    const read = (name: string) => readFileSync(at(`old/${name}`));
    expect(new TextDecoder('euc-kr').decode(read('euc-kr'))).toBe('t\n가??\n');
    // Beyond the older set: the first and the last of them, and one between.
    await done(`json "{t:'갂똠힣'}" | outputcsv encoding=cp949 old/beyond t`);
    expect(read('cp949').toString('hex')).toBe('740ab0a18c633f0a');
    expect(read('beyond').toString('hex')).toBe('740a81418c63c6520a');
    expect(read('us-ascii').toString()).toBe('t\n???\n');
  });

  it('writes compressed text, and adds to it', async () => {
    await done(`${THREE} | outputtxt gz=t zipped.gz n`);
    await done(`${THREE} | outputtxt gz=t append=t zipped.gz w`);
    expect(gunzipSync(readFileSync(at('zipped.gz'))).toString()).toBe('1\n2\n3\na\nb,c\nsay "x"\n');
  });

  it('adds to a file under one heading, and replaces one', async () => {
    await done(`${THREE} | limit 1 | outputcsv append=t grown.csv n`);
    await done(`${THREE} | outputcsv append=t grown.csv n`);
    expect(text('grown.csv')).toBe('n\n1\n1\n2\n3\n');
    await Promise.all(Array.from({ length: 4 }, (_, n) => done(`json "{n:${n}}" | outputcsv append=t at-once.csv n`)));
    expect(text('at-once.csv').split('\n').sort()).toEqual(['', '0', '1', '2', '3', 'n']);
    await done(`${THREE} | limit 1 | outputcsv overwrite=t grown.csv n`);
    expect(text('grown.csv')).toBe('n\n1\n');
  });

  it('keeps the last of several files that replace one at once, of one query or of many', async () => {
    await done(`${THREE} | outputtxt overwrite=t last.txt n | eval n = n * 10 | outputtxt overwrite=t last.txt n`);
    expect(text('last.txt')).toBe('10\n20\n30\n');
    await Promise.all(
      Array.from({ length: 8 }, (_, n) => done(`json "{n:${n}}" | repeat count=3 | outputtxt overwrite=t last.txt n`)),
    );
    expect(text('last.txt')).toMatch(/^([0-7])\n\1\n\1\n$/);
    expect(unfinished()).toEqual([]);
    const mixed = await ran(subject, `${THREE} | outputtxt overwrite=t mixed.txt n | outputtxt mixed.txt n`);
    expect([mixed.error_code, existsSync(at('mixed.txt'))]).toEqual([30101, false]);
  });

  it('does not touch a file that is there', async () => {
    const q = `${THREE} | outputcsv grown.csv n`;
    expect(await failure(q)).toContain('(30101) file grown.csv exists; use append=t or overwrite=t');
    expect(await failure(`${THREE} | outputjson forms`)).toContain('(30101)');
    expect(await failure(`${THREE} | outputjson overwrite=t forms`)).toContain('(30101)');
    expect(text('grown.csv')).toBe('n\n1\n');
  });

  it('writes a file for each time of its rows', async () => {
    const logger = await createLogger(subject, { table: 'timed' });
    const times = ['2024-02-28 10:00:00+0000', '2024-02-28 11:00:00+0000', '2024-02-29 00:00:00+0000'];
    await push(subject, logger, { body: times.map((_time, n) => JSON.stringify({ _time, n })).join('\n') });
    await done('table order=asc timed | outputcsv partition=t "by/{logtime:yyyy/MM-dd}-{now:yyyy}.csv" n');
    expect(text('by/2024/02-28-2024.csv')).toBe('n\n0\n1\n');
    expect(text('by/2024/02-29-2024.csv')).toBe('n\n2\n');
    const again = await ran(subject, 'table timed | outputjson partition=t "by/{logtime:yyyy/MM-dd}-{now:yyyy}.csv"');
    expect(again).toMatchObject({ error_code: 30101, cancel_reason: 'CommandFailure' });
    expect([text('by/2024/02-29-2024.csv'), unfinished()]).toEqual(['n\n2\n', []]);
    expect(await failure('table timed | outputjson partition=t "{logtime:yyyyQ}"')).toContain('(90305)');
    expect(await failure('table timed | outputjson "{logtime:yyyy}"')).toContain('(90008)');
    await done(`${THREE} | outputjson "${at('absolute/{now:yyyy.json}')}"`);
    expect(existsSync(at('absolute/2024.json'))).toBe(true);
  });

  it('writes a heading where there are no rows', async () => {
    await done('json "[]" | outputcsv none.csv n');
    expect(text('none.csv')).toBe('n\n');
  });

  it('gets all rows, whatever a limit after it takes, and keeps their order', async () => {
    const { commands } = await done(
      `json "{a:1}" | repeat count=5000 | eval n = seq() | outputtxt all.txt n | limit 1`,
    );
    expect(commands.map(({ push_count }: { push_count: number }) => push_count)).toEqual([1, 5000, 5000, 5000, 1]);
    expect(text('all.txt')).toBe(Array.from({ length: 5000 }, (_, n) => `${n + 1}\n`).join(''));
  });

  it('writes from brackets, subqueries and behind evalc', async () => {
    await done(`${THREE} | serial [ search n > 1 | outputtxt inside.txt n ] | stats count`);
    expect(text('inside.txt')).toBe('2\n3\n');
    await done(`${THREE} | union [ json "[{n:7}]" | outputtxt sub.txt n ] | stats count`);
    expect(text('sub.txt')).toBe('7\n');
    await done(`${THREE} | evalc t = $("t", 0) + n | eval s = $("t") | outputtxt sums.txt s`);
    expect(text('sums.txt')).toBe('1\n3\n6\n');
  });

  it.each([
    ['../x', 'by its name'],
    ['a/../../x', 'by its name'],
    ['a/'.repeat(600).concat('x'), 'by a path that no file has'],
    ['x'.repeat(256), 'by a name that no file has'],
    ['link/x', 'through a link'],
    ['dangling', 'through a link to nothing'],
  ])('never writes to %s, which leaves the folder %s', async (path) => {
    mkdirSync(join(folder, 'elsewhere'), { recursive: true });
    if (!existsSync(at('link'))) symlinkSync(join(folder, 'elsewhere'), at('link'));
    if (!readdirSync(at('.')).includes('dangling')) symlinkSync(join(folder, 'nowhere'), at('dangling'));
    expect(await failure(`${THREE} | outputcsv overwrite=t ${path} n`)).toContain(
      '(30100) the path leaves the export folder',
    );
    expect(readdirSync(folder).sort()).toEqual(['elsewhere', 'out']);
    expect(readdirSync(join(folder, 'elsewhere'))).toEqual([]);
  });

  it('follows a link that stays inside', async () => {
    mkdirSync(at('real'), { recursive: true });
    symlinkSync(at('real'), at('inside'));
    await done(`${THREE} | outputtxt inside/x.txt n`);
    expect(text('real/x.txt')).toBe('1\n2\n3\n');
  });

  it('is for administrators', async () => {
    const { key } = await createAccount(subject, 'MEMBER', { login: 'member' });
    const admin = await createAccount(subject, 'ADMIN', { login: 'admin' });
    const path = `/api/core/query?q=${encodeURIComponent(`${THREE} | outputtxt right.txt n`)}`;
    expect((await subject.call('GET', path, { key })).text).toContain('(30103) no right to write file right.txt');
    expect(existsSync(at('right.txt'))).toBe(false);
    expect((await subject.call('GET', path, { key: admin.key })).status).toBe(200);
  });

  it('is on record, with the text and the number of rows', async () => {
    const q = `${THREE} | search n > 1 | outputjson "by/{now:yyyy}.json" | outputtxt recorded.txt n`;
    const entries = await entriesOf(subject, () => done(q));
    const exported = entries.filter(({ method }) => method === 'export');
    expect(exported.map(({ msg_params: { query_id: _, ...others }, params }) => [others, params])).toEqual([
      [{ path: 'by/{now:yyyy}.json', rows: 2 }, { q }],
      [{ path: 'recorded.txt', rows: 2 }, { q }],
    ]);
    expect(exported[0]?.msg).toContain('Export of 2 rows to file by/{now:yyyy}.json by query json');
  });

  it('leaves nothing of a query that fails or is cancelled', async () => {
    const failed = await ran(
      subject,
      `${THREE} | outputtxt failed.txt n | eval l = daterange(epoch(n), date("2900-01-01"), "1s")`,
    );
    expect(failed).toMatchObject({ is_cancelled: true, error_code: 93010 });
    const id = await openCursor(subject, `${THREE} | outputtxt cancelled.txt n | union [ ${ENDLESS_JSON} ]`);
    await reached(subject, id, ({ rows }) => rows > 0);
    await subject.call('POST', `/api/core/queries/${id}/cancel`);
    await finished(subject, id);
    expect([existsSync(at('failed.txt')), existsSync(at('cancelled.txt')), unfinished()]).toEqual([false, false, []]);
  });

  it('leaves nothing where two of a query want the same name, and lets no other query in between', async () => {
    const both = await ran(subject, `${THREE} | outputtxt other.txt n | outputtxt same.txt n | outputcsv same.txt n`);
    expect(both).toMatchObject({ error_code: 30101 });
    expect([existsSync(at('same.txt')), existsSync(at('other.txt')), unfinished()]).toEqual([false, false, []]);
    await done(`${THREE} | outputcsv append=t twice.csv n | outputcsv append=t twice.csv n`);
    expect(text('twice.csv')).toBe('n\n1\n2\n3\n1\n2\n3\n');
  });

  it('sweeps what a crash has left, at the next start', async () => {
    writeFileSync(at('.unfinished/left'), 'x');
    await subject.service.restart();
    expect(unfinished()).toEqual([]);
    expect(text('grown.csv')).toBe('n\n1\n');
    expect((await rowsOf(subject, `${THREE} | outputtxt after.txt n`)).map(sent)).toHaveLength(3);
  });
});
