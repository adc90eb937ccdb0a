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
  beforeEach(() => address(''));

  it('is found by its cookie', async () => {
    const page = await loadPage();
    answerConsole({ [`GET ${SESSIONS}`]: () => ({ user: USER }), [PREFERENCES]: () => ({ preferences: {} }) });
    expect(await page.openSession()).toEqual({ state: 'open' });
    expect(page.isSignedIn()).toBe(true);
  });

  it('that has ended lets the reader sign in, without a word of an ended session', async () => {
    const page = await loadPage();
    answerConsole({ [`GET ${SESSIONS}`]: () => refusal(401, 'unauthorized', 'no session') });
    expect(await page.openSession()).toEqual({ state: 'open' });
    expect(page.isSignedIn()).toBe(false);
  });

  it('that cannot be asked for is no ended one', async () => {
    const page = await loadPage();
    answerConsole({ [`GET ${SESSIONS}`]: () => refusal(503, 'unavailable', 'starting') });
    await expect(page.openSession()).rejects.toThrow('starting');
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
  const NO_SESSION = { [`GET ${SESSIONS}`]: () => refusal(401, 'unauthorized', 'no session') };

  it('signs in, and leaves the address at once', async () => {
    const page = await loadPage({ 'vigil.theme': 'dark' });
    const replaced = address('#code=a-B_9');
    const requests = answerConsole({
      ...NO_SESSION,
      [`POST ${SESSIONS}`]: () => ({ user: USER }),
      [PREFERENCES]: () => ({ preferences: {} }),
    });
    expect(await page.openSession()).toEqual({ state: 'open' });
    expect(page.isSignedIn()).toBe(true);
    expect(requests[1]?.params).toEqual({ code: 'a-B_9' });
    expect(replaced).toEqual(['/search?q=x']);
  });

  it('does not replace a session without a question: nothing is sent before the reader has decided', async () => {
    const page = await loadPage();
    const replaced = address('#code=abc');
    const requests = answerConsole({ [`GET ${SESSIONS}`]: () => ({ user: USER }) });
    expect(await page.openSession()).toEqual({ state: 'asks', account: USER, code: 'abc' });
    expect(page.isSignedIn()).toBe(false);
    expect(requests.map(({ operation }) => operation)).toEqual([`GET ${SESSIONS}`]);
    expect(replaced).toEqual(['/search?q=x']);
  });

  it('that is refused lets the reader sign in', async () => {
    const page = await loadPage();
    address('#code=old');
    answerConsole({ ...NO_SESSION, [`POST ${SESSIONS}`]: () => refusal(401, 'unauthorized', 'no') });
    expect(await page.openSession()).toEqual({ state: 'wrong-code' });
    expect(page.isSignedIn()).toBe(false);
  });

  it.each(['#code=', '#other'])('is no %s', async (hash) => {
    const page = await loadPage();
    const replaced = address(hash);
    answerConsole(NO_SESSION);
    expect(await page.openSession()).toEqual({ state: 'open' });
    expect(replaced).toEqual([]);
  });
});

/** Opens the page there; the addresses that replace it. */
function address(hash: string): readonly unknown[] {
  const replaced: unknown[] = [];
  vi.stubGlobal('location', { hash, pathname: '/search', search: '?q=x' });
  vi.stubGlobal('history', { state: null, replaceState: (...args: unknown[]) => replaced.push(args[2]) });
  return replaced;
}
