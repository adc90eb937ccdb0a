// How much one account may keep: a limit of its own, told to whoever reaches it, and none of it in the way of others.

import { beforeAll, expect, it } from 'vitest';
import { type Account, createAccount } from '#test/support/accounts.ts';
import { openCursor, QUERIES } from '#test/support/queries.ts';
import { SLOW } from '#test/support/scheduled-queries.ts';
import type { Reply } from '#test/support/service.ts';
import { onEachDatabase, outcome, refused } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';
import { cancel, createTable, opened, openWith } from '#test/support/uploads.ts';

const SESSIONS = '/api/core/sessions';
const DATASETS = '/api/core/datasets';
const DASHBOARDS = '/api/core/dashboards';
const STREAM = { file_size: 1, metadata: { table: 'web' } };
const tooMany = (things: string) => refused(500, 'illegal-state', `too many ${things}: 3`);
const statuses = (answers: readonly Reply[]) => answers.map(({ status }) => status).toSorted();

const FLAGS = {
  'api-keys-per-user': '3',
  'sessions-per-user': '3',
  'datasets-per-account': '3',
  'dashboards-per-account': '3',
  'upload-streams-per-account': '3',
  'streams-per-account': '3',
};

onEachDatabase(
  'An account',
  (subject) => {
    const { call } = subject;
    let [kim, lee] = [] as unknown as [Account, Account]; // Before any test looks.
    beforeAll(async () => {
      await createTable(subject, 'web');
      kim = await createAccount(subject, 'ADMIN', { login: 'kim' });
      lee = await createAccount(subject, 'ADMIN', { login: 'lee' });
    });
    const fiveTimes = (act: (index: number) => Promise<Reply>) =>
      Promise.all(Array.from({ length: 5 }, (_, index) => act(index)));

    it('has so many API keys, however many are asked for at once', async () => {
      const path = `/api/core/users/${kim.guid}/api-keys`;
      const answers = await fiveTimes((index) => call('POST', path, { form: { name: `k${index}` } }));
      // One was there.
      expect(statuses(answers)).toEqual([200, 200, 500, 500, 500]);
      const isRefused = ({ status }: Reply) => status === 500;
      expect(answers.filter(isRefused).map(outcome)).toEqual(Array(3).fill(tooMany('api keys')));
      expect((await call('POST', `/api/core/users/${lee.guid}/api-keys`, { form: { name: 'k' } })).status).toBe(200);
      const made = answers.find(({ status }) => status === 200)?.json.guid;
      await call('DELETE', `${path}/${made}`);
      expect((await call('POST', path, { form: { name: 'again' } })).status).toBe(200);
    });

    it('has so many datasets', async () => {
      const form = { query: 'json "[]"', shared_users: '[]', shared_groups: '[]' };
      const made = (key: string, name: string) => call('POST', DATASETS, { key, form: { ...form, name } });
      const answers = await fiveTimes((index) => made(kim.key, `d${index}`));
      expect(statuses(answers)).toEqual([200, 200, 200, 500, 500]);
      expect(outcome(await made(kim.key, 'more'))).toEqual(tooMany('datasets'));
      expect((await made(lee.key, 'of another')).status).toBe(200);
      const { guid } = answers.find(({ status }) => status === 200)?.json ?? {};
      const change = await call('PUT', `${DATASETS}/${guid}`, { key: kim.key, form: { ...form, name: 'changed' } });
      expect(change.status).toBe(200);
      await call('DELETE', DATASETS, { form: { guids: guid } });
      expect((await made(kim.key, 'more')).status).toBe(200);
    });

    it('has so many dashboards', async () => {
      const made = (key: string, name: string) => call('POST', DASHBOARDS, { key, json: { name, layout: {} } });
      const answers = await fiveTimes((index) => made(kim.key, `d${index}`));
      expect(statuses(answers)).toEqual([200, 200, 200, 500, 500]);
      expect(outcome(await made(kim.key, 'more'))).toEqual(tooMany('dashboards'));
      expect((await made(lee.key, 'of another')).status).toBe(200);
    });

    it('has so many uploads open', async () => {
      const answers = await fiveTimes(() => openWith(subject, STREAM, { key: kim.key }));
      expect(statuses(answers)).toEqual([201, 201, 201, 500, 500]);
      expect(outcome(await openWith(subject, STREAM, { key: kim.key }))).toEqual(tooMany('upload streams'));
      await opened(subject, STREAM, { key: lee.key });
      await cancel(subject, answers.find(({ status }) => status === 201)?.json.token);
      expect((await openWith(subject, STREAM, { key: kim.key })).status).toBe(201);
    });

    it('has so many console sessions, and a further one ends the oldest', async () => {
      const cookies: string[] = [];
      const logIn = async (key: string) => {
        const answer = await call('POST', SESSIONS, { key: null, form: { api_key: key } });
        expect(answer.status).toBe(200);
        return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
      };
      const isIn = async (cookie: string) =>
        (await call('GET', '/api/core/users', { key: null, headers: { cookie } })).status;
      const ofAnother = await logIn(lee.key);
      for (let round = 0; round < 4; round += 1) {
        cookies.push(await logIn(kim.key));
        subject.clock.advance({ seconds: 1 });
      }
      expect(await Promise.all([...cookies, ofAnother].map(isIn))).toEqual([401, 200, 200, 200, 200]);
      cookies.push(await logIn(kim.key));
      expect(await Promise.all(cookies.map(isIn))).toEqual([401, 401, 200, 200, 200]);
    });

    it('has so many event streams open, and a place again when one ends', async () => {
      const id = await openCursor(subject, SLOW, { key: kim.key });
      const watch = (key: string, of: number) => {
        const leaving = new AbortController();
        const url = `${subject.service.url}${QUERIES}/${of}/events`;
        return { leaving, answer: fetch(url, { headers: { authorization: `Bearer ${key}` }, signal: leaving.signal }) };
      };
      const open = [watch(kim.key, id), watch(kim.key, id), watch(kim.key, id)];
      for (const { answer } of open) expect((await answer).status).toBe(200);
      const refusal = await watch(kim.key, id).answer;
      expect([refusal.status, await refusal.json()]).toEqual([
        429,
        { error_code: 'too-many-requests', error_msg: 'too many requests' },
      ]);
      expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
      const others = await openCursor(subject, SLOW, { key: lee.key });
      const another = watch(lee.key, others);
      expect((await another.answer).status).toBe(200);
      open[0]?.leaving.abort();
      const response = await until(
        () => watch(kim.key, id).answer,
        ({ status }) => status === 200,
      );
      expect(response.status).toBe(200);
      // With the end of the query its streams end.
      await call('POST', `${QUERIES}/${id}/cancel`);
      await call('POST', `${QUERIES}/${others}/cancel`);
      for (const { leaving } of [...open, another]) leaving.abort();
    });
  },
  { flags: FLAGS },
);
