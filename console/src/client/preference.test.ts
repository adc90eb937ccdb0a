// What a reader has chosen: remembered by the browser, and kept with the account.

import { afterEach, describe, expect, it, vi } from 'vitest';
import { answerConsole, unreachable } from '#test/support/console-answers.ts';

const READ = 'GET /api/core/preferences';
const WRITE = 'PUT /api/core/preferences';

/** A page that has just been loaded, in a browser that remembers this. */
async function loadPage(remembered: Readonly<Record<string, string>> = {}) {
  vi.resetModules();
  const stored = new Map(Object.entries(remembered));
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  });
  const { beginSession } = await import('./session.ts');
  const { reportConnection } = await import('./connection.ts');
  const signIn = () => beginSession({ guid: 'kim' } as Parameters<typeof beginSession>[0]); // Nothing else is read.
  return { ...(await import('./preference.ts')), stored, signIn, reportConnection };
}

/** An account with preferences of its own. */
function serve(preferences: Readonly<Record<string, unknown>>) {
  let kept = preferences;
  const requests = answerConsole({
    [READ]: () => ({ preferences: kept }),
    [WRITE]: ({ params }) => {
      kept = { ...(params.preferences as object) };
      return {};
    },
  });
  return { requests, kept: () => kept };
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('A choice', () => {
  it('is remembered by the browser, and known before anything is asked for', async () => {
    const page = await loadPage({ 'vigil.theme': 'dark' });
    expect([page.readPreference('theme'), page.readPreference('language')]).toEqual(['dark', undefined]);
    expect(page.isRemembered()).toBe(true);
    page.writePreference('navigation', 'narrow');
    expect(page.stored.get('vigil.navigation')).toBe('narrow');
  });

  it('of the navigation alone makes the reader not known', async () => {
    const page = await loadPage({ 'vigil.navigation': 'narrow' });
    expect(page.isRemembered()).toBe(false);
  });

  it('is followed by what depends on it', async () => {
    const page = await loadPage();
    const seen: unknown[] = [];
    const stop = page.onPreference('theme', () => seen.push(page.readPreference('theme')));
    page.writePreference('theme', 'dark');
    page.writePreference('theme', 'dark');
    stop();
    page.writePreference('theme', 'light');
    expect(seen).toEqual(['dark']);
  });

  it('is kept with the account while the reader is signed in, beside what else is there', async () => {
    const page = await loadPage();
    const { kept } = serve({ searches: [1], theme: 'light' });
    page.signIn();
    page.writePreference('theme', 'dark');
    await expect.poll(kept).toEqual({ searches: [1], theme: 'dark' });
    await expect.poll(() => page.stored.get('vigil.unsaved')).toBe('');
  });

  it('that concerns this browser alone is not sent', async () => {
    const page = await loadPage();
    const { requests } = serve({});
    page.signIn();
    page.writePreference('navigation', 'narrow');
    expect(requests).toEqual([]);
  });

  it('made without a session is saved when there is one', async () => {
    const page = await loadPage();
    const { kept, requests } = serve({ language: 'en', timeZone: 'utc' });
    page.writePreference('language', 'ko');
    expect(requests).toEqual([]);
    await page.syncPreferences();
    expect(kept()).toEqual({ language: 'ko', timeZone: 'utc' });
    // What the account has besides holds here, too.
    expect(page.readPreference('timeZone')).toBe('utc');
  });

  it('made while the connection was lost is saved when it is back', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.stubGlobal('addEventListener', () => undefined);
    const page = await loadPage();
    page.watchPreferences();
    page.signIn();
    answerConsole({ [READ]: unreachable });
    page.writePreference('theme', 'dark');
    await expect.poll(() => vi.getTimerCount()).toBe(1);
    const { kept } = serve({});
    page.reportConnection('online');
    await expect.poll(kept).toEqual({ theme: 'dark' });
  });

  it('made while an older one is being saved is not lost', async () => {
    const page = await loadPage();
    const reading = Promise.withResolvers<object>();
    answerConsole({ [READ]: () => reading.promise, [WRITE]: () => ({}) });
    page.writePreference('theme', 'dark');
    const synced = page.syncPreferences();
    page.writePreference('theme', 'light');
    reading.resolve({ preferences: {} });
    await synced;
    expect([page.readPreference('theme'), page.stored.get('vigil.unsaved')]).toEqual(['light', 'theme']);
  });
});

describe('The choices of the account', () => {
  it('hold in a new browser; what is no text is left out', async () => {
    const page = await loadPage();
    serve({ theme: 'dark', language: 5 });
    await page.syncPreferences();
    expect([page.readPreference('theme'), page.readPreference('language')]).toEqual(['dark', undefined]);
    expect(page.stored.get('vigil.theme')).toBe('dark');
  });

  it('that cannot be read leave those of the browser', async () => {
    const page = await loadPage({ 'vigil.theme': 'dark' });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    answerConsole({ [READ]: unreachable });
    await page.syncPreferences();
    expect(page.readPreference('theme')).toBe('dark');
  });

  it('are changed as a whole, one tab after the other', async () => {
    const page = await loadPage();
    const { kept } = serve({ count: 0 });
    const add = () => page.changePreferences((before) => ({ count: Number(before.count) + 1 }));
    await Promise.all([add(), add(), add()]);
    expect(kept()).toEqual({ count: 3 });
  });

  it('are changed in a browser without locks, too', async () => {
    const page = await loadPage();
    vi.stubGlobal('navigator', {});
    serve({ a: 1 });
    expect(await page.changePreferences((before) => ({ ...before, b: 2 }))).toEqual({ a: 1, b: 2 });
  });
});

describe('Another tab', () => {
  it('hands its choices on', async () => {
    const page = await loadPage({ 'vigil.theme': 'dark' });
    let onStorage: (event: object) => void = () => undefined;
    vi.stubGlobal('addEventListener', (_: string, listener: typeof onStorage) => {
      onStorage = listener;
    });
    page.watchPreferences();
    expect(page.readPreference('theme')).toBe('dark');
    onStorage({ key: 'vigil.theme', newValue: 'light' });
    expect(page.readPreference('theme')).toBe('light');
    onStorage({ key: 'other', newValue: 'x' });
    onStorage({ key: null, newValue: null });
    expect(page.readPreference('theme')).toBe('light');
    onStorage({ key: 'vigil.theme', newValue: null });
    expect(page.readPreference('theme')).toBeUndefined();
  });
});

it('A browser that forbids storage forgets, and works', async () => {
  const page = await loadPage();
  const forbid = () => {
    throw new Error('denied');
  };
  vi.stubGlobal('localStorage', { getItem: forbid, setItem: forbid });
  expect(page.readPreference('theme')).toBeUndefined();
  page.writePreference('theme', 'dark');
  expect(page.readPreference('theme')).toBe('dark');
});
