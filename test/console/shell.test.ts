// The ground that every page stands on: sign-in, navigation, palette, language, theme, keyboard, narrow windows, lost connections.

import { expect, it } from 'vitest';
import {
  describeConsole,
  expectAccessible,
  expectNoSidewaysScroll,
  takeScreenshot,
} from '#test/support/console-suite.ts';

const POLICY =
  /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w+/=]{24}'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/;

describeConsole('The console', (suite) => {
  const { openPage, openBeside } = suite;

  it('lets a key in, keeps the session over a reload and in further tabs, and lets it out', async () => {
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
    expect(page.url()).toContain('from=now-1h');
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('vgl_');
    await page.reload();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    const beside = await openBeside(page, '/');
    await beside.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Vigil' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in to Vigil' }).waitFor();
  });

  it('lets a one-time link in once, and takes its code out of the address', async () => {
    const made = await fetch(`${suite.service.url}/api/core/sessions/codes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${suite.service.keys.kim}` },
    });
    // Declared by the operation.
    const { code } = (await made.json()) as { code: string };
    const page = await openPage({ as: null, path: `/#code=${code}` });
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    expect(page.url()).not.toContain(code);
    const later = await openPage({ as: null, path: `/#code=${code}` });
    await later.getByText('This link is no longer valid').waitFor();
    expect(later.url()).not.toContain(code);
  });

  it('tells that a session has ended, and continues where it was', async () => {
    const page = await openPage({ path: '/?from=now-6h' });
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    // Another tab ends it; the next request of this one finds out.
    await page.evaluate("fetch('/api/core/sessions', { method: 'DELETE' })");
    await page.context().setOffline(true);
    await page.getByText('The service does not answer').waitFor();
    await page.context().setOffline(false);
    await page.getByText('The session has ended').waitFor();
    await page.getByLabel('API key').fill(suite.service.keys.kim);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    expect(page.url()).toContain('from=now-6h');
  });

  it('has a policy with a nonce of its own for each answer, and no page breaks it', async () => {
    const nonces = new Set<string>();
    for (const path of ['/', '/no/such/page']) {
      const answer = await fetch(suite.service.url + path, { headers: { accept: 'text/html' } });
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(POLICY);
      nonces.add(policy);
    }
    expect(nonces.size).toBe(2);
    // Menus, dialogs and tooltips write style elements; a violation is an error in the console of the page.
    const page = await openPage();
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    suite.expectClean(page);
  });

  it('is used by keyboard alone: palette, pages, help, menu', async () => {
    const page = await openPage();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to…' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.type('theme dark');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    expect(new URL(page.url()).pathname).toBe('/');
  });

  it('speaks Korean and English, and remembers the choice', async () => {
    const page = await openPage({ language: 'ko' });
    await page.getByRole('heading', { name: '홈', level: 1 }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('ko');
    await expectAccessible(page);
    await page.getByRole('button', { name: /^계정/ }).click();
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    expect(await page.evaluate("localStorage.getItem('vigil.language')")).toBe('en');
  });

  it.each(['light', 'dark'] as const)('has enough contrast, in %s', async (theme) => {
    const page = await openPage({ theme });
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await expectAccessible(page);
  });

  it('fits a window of 390 pixels, with its navigation behind a button', async () => {
    const page = await openPage({ width: 390 });
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await page.getByRole('link', { name: 'Home' }).click();
    await expect.poll(() => page.getByRole('navigation', { name: 'Pages' }).isVisible()).toBe(false);
  });

  it('says what is not there', async () => {
    const page = await openPage({ path: '/no/such/page' });
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Go to the first page' }).click();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  });

  it('shows a lost connection, and mends it by itself', async () => {
    const page = await openPage();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await page.context().setOffline(true);
    await page.getByText('The service does not answer').waitFor();
    await expectAccessible(page);
    await page.context().setOffline(false);
    await page.getByText('The service answers again').waitFor();
  });
});
