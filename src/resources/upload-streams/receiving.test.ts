import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { rowsOf } from '#test/support/logs.ts';
import { slowRequest } from '#test/support/slow-request.ts';
import { onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';
import {
  append,
  BYTES_TYPE,
  cancel,
  complete,
  createTable,
  offsetOf,
  opened,
  openWith,
  STREAMS,
  TUS,
} from '#test/support/uploads.ts';

const gone = (token: string, status = 500) => refused(status, 'illegal-state', `upload stream not found: ${token}`);

onEachDatabase('Bytes of an upload', (subject) => {
  const { clock } = subject;
  beforeAll(() => createTable(subject, 'web'));
  const folder = () => join(subject.service.config.data, 'uploads');
  const sizeOf = (token: string) => statSync(join(folder(), `${token}.part`), { throwIfNoEntry: false })?.size ?? 0;
  const open = (size: number) => opened(subject, { file_size: size, metadata: { table: 'web', format: 'text' } });
  const patch = (token: string, offset: number, length?: number) =>
    slowRequest(`${subject.service.url}${STREAMS}/${token}`, 'PATCH', {
      headers: {
        ...TUS,
        'upload-offset': String(offset),
        'content-type': BYTES_TYPE,
        ...(length === undefined ? {} : { 'content-length': String(length) }),
      },
    });
  const arrived = (token: string, size: number) =>
    until(
      async () => sizeOf(token),
      (found) => found === size,
    );

  it('are kept when the connection breaks', async () => {
    const token = await open(100);
    const broken = patch(token, 0, 100);
    await broken.write('0123456789');
    await arrived(token, 10);
    broken.destroy();
    const offset = await until(
      () => offsetOf(subject, token),
      (found) => found === 10,
    );
    expect(offset).toBe(10);
    expect((await append(subject, token, { offset: 10, body: 'x'.repeat(90) })).status).toBe(204);
    expect(outcome(await complete(subject, token))).toEqual([200, { accepted: 1, rejected: [], rejected_count: 0 }]);
    const [row] = await rowsOf(subject, 'table web');
    expect(row.line).toBe(`0123456789${'x'.repeat(90)}`);
  });

  it('come from one request at a time: the second waits, and hears where the first has brought it', async () => {
    const token = await open(20);
    const first = patch(token, 0, 10);
    await first.write('01234');
    await arrived(token, 5);
    const second = append(subject, token, { offset: 0, body: 'abc' });
    await first.write('56789');
    first.end();
    expect((await first.answer).status).toBe(204);
    expect(outcome(await second)).toEqual(refused(409, 'invalid-offset', 'upload offset should be 10'));
    expect(await offsetOf(subject, token)).toBe(10);
    await cancel(subject, token);
  });

  it('that stop coming make room for a request that waits, and are kept', async () => {
    const token = await open(10);
    const silent = patch(token, 0, 10);
    await silent.write('01234');
    await arrived(token, 5);
    const next = append(subject, token, { offset: 5, body: '56789' });
    const answers = Promise.all([next, silent.answer]);
    let isAnswered = false;
    void answers.then(() => {
      isAnswered = true;
    });
    await until(
      async () => clock.advance({ seconds: 1 }),
      () => isAnswered,
    );
    const [taken, displaced] = await answers;
    expect([taken.status, taken.headers.get('upload-offset')]).toEqual([204, '10']);
    expect([displaced.status, displaced.json]).toEqual(refused(409, 'invalid-offset', 'upload offset should be 5'));
    silent.destroy();
    expect(outcome(await complete(subject, token))).toMatchObject([200, { accepted: 1 }]);
    expect((await rowsOf(subject, 'table web'))[0].line).toBe('0123456789');
  });

  it('are counted while they come in, when somebody asks', async () => {
    const token = await open(10);
    const coming = patch(token, 0, 10);
    await coming.write('01234');
    await arrived(token, 5);
    expect(await offsetOf(subject, token)).toBe(5);
    await coming.write('567');
    await arrived(token, 8);
    expect(await offsetOf(subject, token)).toBe(8);
    await coming.write('89');
    expect((await coming.answer).status).toBe(204);
    expect(await offsetOf(subject, token)).toBe(10);
    await cancel(subject, token);
  });

  it('that somebody was told of stay, whatever comes after them', async () => {
    const token = await open(10);
    const coming = patch(token, 0);
    await coming.write('01234');
    await arrived(token, 5);
    expect(await offsetOf(subject, token)).toBe(5);
    await coming.write('567890123');
    expect((await coming.answer).status).toBe(413);
    coming.destroy();
    expect(await offsetOf(subject, token)).toBe(5);
    await cancel(subject, token);
  });

  it('beyond the size of the file are refused, with all that came with them', async () => {
    const token = await open(10);
    await append(subject, token, { offset: 0, body: '01234' });
    const unannounced = patch(token, 5);
    await unannounced.write('567');
    await arrived(token, 8);
    await unannounced.write('89ab');
    unannounced.end();
    const { status, json } = await unannounced.answer;
    const tooLarge = refused(413, 'request-too-large', 'request body must be shorter than or equal to 5 bytes.');
    expect([status, json]).toEqual(tooLarge);
    expect(await offsetOf(subject, token)).toBe(5);
    expect(outcome(await append(subject, token, { offset: 5, body: '56789a' }))).toEqual(tooLarge);
    expect((await append(subject, token, { offset: 5, body: 'vwxyz' })).status).toBe(204);
    await complete(subject, token);
    expect((await rowsOf(subject, 'table web'))[0].line).toBe('01234vwxyz');
  });

  it('are removed at once by a cancellation while they come in', async () => {
    const token = await open(1000);
    const coming = patch(token, 0, 1000);
    await coming.write('x'.repeat(500));
    await arrived(token, 500);
    expect(outcome(await cancel(subject, token))).toEqual([200, {}]);
    expect(readdirSync(folder())).toEqual([]);
    const { status, json } = await coming.answer;
    expect([status, json]).toEqual(gone(token, 404));
    coming.destroy();
    expect(await offsetOf(subject, token)).toBeUndefined();
  });

  it('are removed at once by a cancellation while they are imported, or are imported as a whole', async () => {
    const lines = Array.from({ length: 60_000 }, (_, n) => `line ${n} ${'x'.repeat(100)}\n`).join('');
    const before = (await rowsOf(subject, 'table web | stats count'))[0].count;
    const stagedFiles = () =>
      readdirSync(join(subject.service.config.data, 'tables'), { recursive: true }).filter((name) =>
        String(name).includes('staged'),
      ).length;
    const filesBefore = stagedFiles();
    let cancelled = 0;
    let imported = 0;
    for (const delay of [0, 1, 20, 100, 400]) {
      const token = await open(lines.length);
      await append(subject, token, { offset: 0, body: lines });
      const completing = complete(subject, token);
      await new Promise((resolve) => setTimeout(resolve, delay));
      const answer = await cancel(subject, token);
      // A cancellation that came too late leaves them to the import.
      if (answer.status === 200) expect(readdirSync(folder())).toEqual([]);
      const completion = await completing;
      expect(readdirSync(folder())).toEqual([]);
      if (answer.status === 200) expect(outcome(completion)).toEqual(gone(token));
      else expect([outcome(answer), completion.json.accepted]).toEqual([gone(token), 60_000]);
      if (answer.status === 200) cancelled += 1;
      else imported += 1;
    }
    expect(cancelled).toBeGreaterThan(0);
    expect((await rowsOf(subject, 'table web | stats count'))[0].count).toBe(before + imported * 60_000);
    expect(stagedFiles()).toBe(filesBefore + imported);
  });

  it('that arrived are kept when the service stops', async () => {
    const token = await open(10);
    const coming = patch(token, 0, 10);
    await coming.write('01234');
    await arrived(token, 5);
    const restarting = subject.service.restart();
    let isRestarted = false;
    void restarting.then(() => {
      isRestarted = true;
    });
    await until(
      async () => clock.advance({ seconds: 1 }),
      () => isRestarted,
    );
    await restarting;
    await expect(coming.answer).rejects.toThrow();
    expect(await offsetOf(subject, token)).toBe(5);
    await cancel(subject, token);
  });
});

const limited = serviceFor({ flags: { 'upload-streams': '2', 'upload-limit': '1000', 'line-limit': '20' } });

it('Uploads are limited in number and size', async () => {
  await createTable(limited, 'web');
  const open = (file_size: number) => openWith(limited, { file_size, metadata: { table: 'web', format: 'text' } });
  const tooLarge = refused(413, 'request-too-large', 'request body must be shorter than or equal to 1000 bytes.');
  expect(outcome(await open(1001))).toEqual(tooLarge);
  const tokens = [(await open(1000)).json.token, (await open(0)).json.token];
  const refusal = refused(500, 'illegal-state', 'too many upload streams: 2');
  expect(outcome(await open(1))).toEqual(refusal);
  await cancel(limited, tokens[0]);
  const third = (await open(42)).json.token;
  expect(outcome(await open(1))).toEqual(refusal);
  await append(limited, third, { offset: 0, body: `${'x'.repeat(20)}\n${'x'.repeat(21)}` });
  expect((await complete(limited, third)).json).toEqual({
    accepted: 1,
    rejected: [{ line: 2, reason: 'line-too-long' }],
    rejected_count: 1,
  });
  expect((await open(1)).status).toBe(201);
});
