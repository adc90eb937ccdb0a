// The session of this browser: how it is opened, found again, and ended.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answerConsole, refusal, unreachable } from '#test/support/console-answers.ts';

const SESSIONS = '/api/core/sessions';
const PREFERENCES = 'GET /api/core/preferences';
const USER = { guid: 'kim', role_name: 'ADMIN' };

/** A page that has just been loaded, in a browser that remembers this. */
async function loadPage(remembered: Readonly<Record<string, string>> = {}) {
  vi.resetModules();
  const stored = new Map(Object.entries(remembered));
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  });
  const { endSession, isSignedIn, leaveSession, beginSession } = await import('./session.ts');
  return { ...(await import('./sign-in.ts')), endSession, isSignedIn, leaveSession, beginSession };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('Signing in', () => {
  it('opens the session, and a browser that does not know its reader waits for the choices of the account', async () => {
    const page = await loadPage();
    const preferences = Promise.withResolvers<object>();
    const requests = answerConsole({
      [`POST ${SESSIONS}`]: () => ({ user: USER }),
      [PREFERENCES]: () => preferences.promise,
    });
    const signedIn = page.signIn({ api_key: 'vgl_x' });
    await expect.poll(() => requests.length).toBe(2);
    expect(page.isSignedIn()).toBe(false);
    preferences.resolve({ preferences: {} });
    expect(await signedIn).toBeUndefined();
    expect(page.isSignedIn()).toBe(true);
    expect(requests[0]?.params).toEqual({ api_key: 'vgl_x' });
  });

  it('does not wait in a browser that knows its reader', async () => {
    const page = await loadPage({ 'vigil.theme': 'dark' });
    answerConsole({ [`POST ${SESSIONS}`]: () => ({ user: USER }), [PREFERENCES]: () => new Promise(() => undefined) });
    await page.signIn({ code: 'abc' });
    expect(page.isSignedIn()).toBe(true);
  });

  it.each([
    [401, 'refused'],
    [400, 'refused'],
    [429, 'too-many'],
  ])('that is answered with %d is %s', async (status, reason) => {
    const page = await loadPage();
    answerConsole({ [`POST ${SESSIONS}`]: () => refusal(status, 'unauthorized', 'no') });
    expect(await page.signIn({ api_key: 'x' })).toBe(reason);
    expect(page.isSignedIn()).toBe(false);
  });

  it('without an answer is no refusal', async () => {
    const page = await loadPage();
    answerConsole({ [`POST ${SESSIONS}`]: unreachable });
    await expect(page.signIn({ api_key: 'x' })).rejects.toThrow('no answer');
  });
});

describe('The session of an earlier visit', () => {
  it('is found by its cookie', async () => {
    const page = await loadPage();
    answerConsole({ [`GET ${SESSIONS}`]: () => ({ user: USER }), [PREFERENCES]: () => ({ preferences: {} }) });
    await page.findSession();
    expect(page.isSignedIn()).toBe(true);
  });

  it('that has ended lets the reader sign in, without a word of an ended session', async () => {
    const page = await loadPage();
    answerConsole({ [`GET ${SESSIONS}`]: () => refusal(401, 'unauthorized', 'no session') });
    await page.findSession();
    expect(page.isSignedIn()).toBe(false);
  });

  it('that cannot be asked for is no ended one', async () => {
    const page = await loadPage();
    answerConsole({ [`GET ${SESSIONS}`]: () => refusal(503, 'unavailable', 'starting') });
    await expect(page.findSession()).rejects.toThrow('starting');
  });
});

it('Signing out ends the session, and an answer without a session afterwards changes nothing', async () => {
  const page = await loadPage();
  answerConsole({ [`DELETE ${SESSIONS}`]: () => ({}) });
  page.beginSession(USER as Parameters<typeof page.beginSession>[0]);
  await page.signOut();
  page.endSession();
  expect(page.isSignedIn()).toBe(false);
});

describe('A one-time link', () => {
  it.each([
    ['#code=a-B_9', 'a-B_9'],
    ['#code=', undefined],
    ['#other', undefined],
    ['', undefined],
  ])('with %j has the code %s, which leaves the address at once', async (hash, code) => {
    const { takeCode } = await loadPage();
    const replaced: unknown[] = [];
    vi.stubGlobal('location', { hash, pathname: '/search', search: '?q=x' });
    vi.stubGlobal('history', { state: null, replaceState: (...args: unknown[]) => replaced.push(args[2]) });
    expect(takeCode()).toBe(code);
    expect(replaced).toEqual(code === undefined ? [] : ['/search?q=x']);
  });
});
