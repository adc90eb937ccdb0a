// The ground that every page stands on: sign-in, navigation, palette, language, theme, keyboard, narrow windows, lost connections.

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { firewallLine } from '#demo/logs/firewall-logs.ts';
import { LOGGERS } from '#demo/objects/guids.ts';
import {
  type ConsoleSuite,
  describeConsole,
  expectAccessible,
  expectNoSidewaysScroll,
  takeScreenshot,
} from '#test/support/console-suite.ts';

/** The account of the tests has the locale of Korea. */
const IN_ENGLISH = JSON.stringify({ preferences: { language: 'en' } });

const POLICY =
  /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w+/=]{24}'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/;

describeConsole('The console', (suite) => {
  const { openPage, openBeside } = suite;

  it('lets a key or a one-time link in, keeps the session over a reload and in further tabs, and lets it out', async () => {
    await ask(suite, 'PUT', 'preferences', IN_ENGLISH);
    const made = await ask(suite, 'POST', 'sessions/codes');
    // Declared by the operation.
    const { code } = (await made.json()) as { code: string };
    const page = await openPage({ as: null, path: '/?from=now-1h' });
    await expectAccessible(page);
    await takeScreenshot(page, 'sign-in');
    await page.getByLabel('API key').fill('vgl_wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('This key is not valid here').waitFor();
    expect(await page.getByLabel('API key').getAttribute('type')).toBe('password');
    await page.getByLabel('API key').fill(suite.service.keys.kim);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    // The address that was opened is kept.
    await expect.poll(() => page.url()).toContain('from=now-1h');
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('vgl_');
    await page.reload();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    const beside = await openBeside(page, '/');
    await beside.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await beside.close();
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Vigil' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in to Vigil' }).waitFor();
    await page.goto(`${suite.service.url}/#code=${code}`);
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    expect(page.url()).not.toContain(code);
    const later = await openPage({ as: null, path: `/#code=${code}` });
    await later.getByText('This link is no longer valid').waitFor();
    expect(later.url()).not.toContain(code);
  });

  it('asks before a link of another account replaces a session', async () => {
    const codeOf = async (key: string) => {
      const headers = { authorization: `Bearer ${key}` };
      const made = await fetch(`${suite.service.url}/api/core/sessions/codes`, { method: 'POST', headers });
      // Declared by the operation.
      return ((await made.json()) as { code: string }).code;
    };
    const whoIs = (page: Page) => page.evaluate("fetch('/api/core/sessions').then((answer) => answer.json())");
    const code = await codeOf(suite.service.keys.lee);
    const page = await openPage({ as: 'kim', path: `/search?from=now-1h#code=${code}` });
    await page.getByRole('heading', { name: 'Sign in with this link?' }).waitFor();
    expect(page.url()).not.toContain(code);
    await page.getByText('This browser is signed in as 김철수 (kim).').waitFor();
    expect(await whoIs(page)).toMatchObject({ user: { login: 'kim' } });
    await expectAccessible(page);
    // The answer that changes nothing has the focus.
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor();
    expect(await whoIs(page)).toMatchObject({ user: { login: 'kim' } });
    await expect.poll(() => page.url()).toContain('from=now-1h');

    // The code has not been used.
    const beside = await openBeside(page, `/#code=${code}`);
    await beside.getByRole('button', { name: 'Sign in with the link' }).click();
    await beside.getByRole('heading', { name: /Home|홈/, level: 1 }).waitFor();
    expect(await whoIs(beside)).toMatchObject({ user: { login: 'lee' } });

    const used = await openBeside(page, `/#code=${code}`);
    await used.getByRole('button', { name: /Sign in with the link|링크로 로그인/ }).click();
    await used.getByRole('alert').waitFor();
    await used.getByRole('button', { name: /lee/ }).click();
    await used.getByRole('heading', { name: /Home|홈/, level: 1 }).waitFor();
    expect(await whoIs(used)).toMatchObject({ user: { login: 'lee' } });
  });

  it('shows a lost connection and the end of a session, and continues where it was; by keyboard alone', async () => {
    const nonces = new Set<string>();
    for (const path of ['/', '/no/such/page']) {
      const answer = await fetch(suite.service.url + path, { headers: { accept: 'text/html' } });
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(POLICY);
      nonces.add(policy);
    }
    expect(nonces.size).toBe(2);
    const page = await openPage();
    const events = page.getByRole('region', { name: 'Newest high events' });
    await events.getByRole('link').nth(1).waitFor();
    await loaded(page);
    await page.context().setOffline(true);
    await page.getByText('The service does not answer').waitFor();
    // All of Home, in the light.
    await expectAccessible(page);
    await raiseEvent(suite, '10.9.9.3');
    await page.context().setOffline(false);
    await page.getByText('The service answers again').waitFor();
    await events.getByText('10.9.9.3 sent').waitFor();

    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to…' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.type('theme dark');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await expectAccessible(page);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
    // Menus, dialogs and tooltips write style elements; a violation is an error in the console of the page.
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('Escape');
    suite.expectClean(page);

    await page.goto(`${suite.service.url}/?from=now-6h`);
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    // Another tab ends the session; the next request of this one finds out.
    await loaded(page);
    await page.evaluate("fetch('/api/core/sessions', { method: 'DELETE' })");
    await page.context().setOffline(true);
    await page.getByText('The service does not answer').waitFor();
    await page.context().setOffline(false);
    await page.getByText('The session has ended').waitFor();
    await page.getByLabel('API key').fill(suite.service.keys.kim);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await expect.poll(() => page.url()).toContain('from=now-6h');

    await page.goto(`${suite.service.url}/no/such/page`);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Go to the first page' }).click();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  });

  it('speaks Korean and English; language, theme and time zone follow the account to another browser', async () => {
    const page = await openPage({ language: 'ko', timeZone: 'Europe/Berlin' });
    const choose = async (account: RegExp, choice: string) => {
      await page.getByRole('button', { name: account }).click();
      await page.getByRole('menuitemradio', { name: choice }).click();
    };
    await page.getByRole('heading', { name: '홈', level: 1 }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('ko');
    await expectAccessible(page);
    await choose(/^계정/, 'English');
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await choose(/^Account/, 'Dark');
    await choose(/^Account/, 'Europe/Berlin (browser)');
    const beside = await openBeside(page, '/');
    await beside.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await loaded(page);
    // Choices without a connection are kept, and reach the account later; other tabs follow at once.
    await page.context().setOffline(true);
    await choose(/^Account/, '한국어');
    await beside.getByRole('heading', { name: '홈', level: 1 }).waitFor();
    await page.context().setOffline(false);
    await expect.poll(async () => (await preferencesOf(suite)).language).toBe('ko');
    expect(await preferencesOf(suite)).toMatchObject({ theme: 'dark', timeZone: 'browser' });

    const other = await openPage({ as: null, timeZone: 'America/Lima' });
    await other.getByLabel('API key').fill(suite.service.keys.kim);
    await other.keyboard.press('Enter');
    await other.getByRole('heading', { name: '홈', level: 1 }).waitFor();
    expect(await other.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await other.getByRole('button', { name: /^계정/ }).click();
    await expect
      .poll(() => other.getByRole('menuitemradio', { name: /America\/Lima/ }).getAttribute('aria-checked'))
      .toBe('true');
  });

  it('has one stream of events for all tabs, which the next tab takes over', async () => {
    const first = await openPage();
    await first.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    const streams: Page[] = [];
    first.context().on('response', (answer) => {
      if (answer.url().endsWith('/events/stream')) streams.push(answer.frame().page());
    });
    await first.getByRole('link', { name: 'Events', exact: true }).click();
    await expect.poll(() => streams).toEqual([first]);
    const second = await openBeside(first, '/events');
    await expect.poll(() => locksOf(second)).toEqual({ held: 1, pending: 1 });
    await raiseEvent(suite, '10.9.9.1');
    for (const page of [first, second]) await page.getByRole('button', { name: '1 new event: show it' }).waitFor();
    expect(streams).toEqual([first]);
    await first.close();
    await expect.poll(() => locksOf(second)).toEqual({ held: 1, pending: 0 });
    await expect.poll(() => streams).toEqual([first, second]);
    await raiseEvent(suite, '10.9.9.2');
    await second.getByRole('button', { name: '2 new events: show them' }).click();
    await second.getByRole('grid', { name: 'Events' }).getByText('10.9.9.2 sent 2000000000 bytes').waitFor();
  });

  it('fits a window of 390 pixels, and offers no page beyond the role but says so behind a link', async () => {
    // Dark by the choice of the system.
    const page = await openPage({ width: 390, theme: 'dark' });
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await page.keyboard.press('Tab');
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await pages.getByRole('link', { name: 'Schedules' }).waitFor();
    await pages.getByRole('link', { name: 'Home' }).click();
    await expect.poll(() => pages.isVisible()).toBe(false);

    await suite.signIn(page, 'lee');
    await page.goto(`${suite.service.url}/schedules`);
    await page.getByRole('heading', { name: 'This page is not for your role' }).waitFor();
    await page.getByText('It needs the role Administrator; your account has the role Member.').waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await pages.getByRole('link', { name: 'Home' }).waitFor();
    expect(await pages.getByRole('link', { name: 'Schedules' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to…' }).fill('sched');
    await page.getByText('Nothing fits.').waitFor();
  });
});

/** An answer that is still under way would show that the service is there. */
const loaded = (page: Page): Promise<void> => page.waitForLoadState('networkidle');

const FULL = { isAllowed: true, fromPort: 40_000, to: '198.51.100.9', toPort: 443, bytes: 2e9, rule: 'out' };

/** A stream rule of the demo finds each address once. */
const raiseEvent = (suite: ConsoleSuite, from: string): Promise<Response> =>
  ask(suite, 'POST', `loggers/${LOGGERS.firewall}/logs`, firewallLine({ ...FULL, time: Date.now(), from }));

async function preferencesOf(suite: ConsoleSuite): Promise<Readonly<Record<string, unknown>>> {
  const answer = await ask(suite, 'GET', 'preferences');
  // Declared by the operation.
  return ((await answer.json()) as { preferences: Record<string, unknown> }).preferences;
}

async function ask({ service }: ConsoleSuite, method: string, path: string, body?: string): Promise<Response> {
  const answer = await fetch(`${service.url}/api/core/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${service.keys.kim}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });
  expect(answer.status).toBe(200);
  return answer;
}

/** The tabs that keep the stream, and those that wait for it. */
const locksOf = (page: Page): Promise<unknown> =>
  page.evaluate(`navigator.locks.query().then(({ held, pending }) => {
    const ofEvents = ({ name }) => name.startsWith('vigil-events');
    return { held: held.filter(ofEvents).length, pending: pending.filter(ofEvents).length };
  })`);
