// A page whose file cannot be loaded and a lost connection: the frame and the rows stay, and both recover by themselves.

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { DASHBOARDS } from '#demo/objects/guids.ts';
import { describeConsole, expectAccessible } from '#test/support/console-suite.ts';

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });
const navigation = (page: Page) => page.getByRole('navigation', { name: 'Pages' });
const link = (page: Page, name: string) => navigation(page).getByRole('link', { name, exact: true }).click();

/** Files of the console that the service does not have until it is called. */
async function withoutFiles(page: Page, files: RegExp): Promise<() => Promise<void>> {
  await page.route(files, (route) => route.fulfill({ status: 404, body: 'not found' }));
  return async () => await page.unroute(files);
}

describeConsole('A page whose file cannot be loaded', (suite) => {
  it('waits in its frame for a connection, and is loaded once it is there', async () => {
    const page = await suite.openPage();
    await heading(page, 'Home').waitFor();
    await page.waitForLoadState('networkidle');
    await page.context().setOffline(true);
    await link(page, 'Tables');
    await page.getByRole('heading', { name: 'This page is not loaded yet' }).waitFor();
    await page.getByText('The service does not answer').waitFor();
    await navigation(page).getByRole('link', { name: 'Home' }).waitFor();
    await expectAccessible(page);
    await page.context().setOffline(false);
    await heading(page, 'Tables').waitFor();
    await page.getByRole('row', { name: /^web / }).waitFor();
  });

  it('is loaded with the console after an upgrade, and not over and over where that does not help', async () => {
    const page = await suite.openPage();
    await heading(page, 'Home').waitFor();
    await page.clock.install();
    let loads = 0;
    page.on('domcontentloaded', () => {
      loads += 1;
    });
    const restore = await withoutFiles(page, /\/assets\/rules-[^/]*\.(js|css)$/);
    await link(page, 'Rules');
    await page.getByRole('heading', { name: 'A file of this page is missing' }).waitFor();
    await navigation(page).getByRole('link', { name: 'Home' }).waitFor();
    expect(loads).toBe(1);
    await expectAccessible(page);
    await link(page, 'Events');
    await heading(page, 'Events').waitFor();
    await link(page, 'Rules');
    await page.getByRole('heading', { name: 'A file of this page is missing' }).waitFor();
    expect(loads).toBe(1);
    await restore();
    await page.clock.fastForward(61_000);
    await heading(page, 'Rules').waitFor();
    // With its style sheet.
    expect(await page.evaluate("document.querySelectorAll('link[href*=rules-]').length")).toBeGreaterThan(0);
  });

  it('asks before unsaved input is given up for a newer version', async () => {
    const page = await suite.openPage({ path: `/dashboards?dashboard=${DASHBOARDS.security}&edit=true` });
    await page.getByRole('button', { name: 'Remove 공격자' }).click();
    await withoutFiles(page, /\/assets\/query-editor-[^/]*\.(js|css)$/);
    const start = `${suite.service.url}/`;
    await page.route(start, (route) => route.fulfill({ body: '<script src="/assets/index-newer.js"></script>' }));
    await page.getByRole('button', { name: 'Add panel' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add panel' });
    await dialog.getByRole('heading', { name: 'A newer version is available' }).waitFor();
    await dialog.getByRole('button', { name: 'Load again' }).click();
    const question = page.getByRole('dialog', { name: 'Discard what is not saved?' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect(await page.getByRole('region', { name: '공격자', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Add panel' }).click();
    await dialog.getByRole('button', { name: 'Load again' }).click();
    // Not before: the part would come by itself.
    await page.unrouteAll();
    await question.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('region', { name: '공격자', exact: true }).waitFor();
  });
});

describeConsole('A lost connection', (suite) => {
  it.each(['the network', 'the service'])(
    'keeps the rows of a list, greyed and with their age, until %s is back',
    async (lost) => {
      const page = await suite.openPage({ path: '/events' });
      const rows = page.getByRole('grid', { name: 'Events' }).getByRole('row');
      await rows.nth(2).waitFor();
      await page.waitForLoadState('networkidle');
      const before = await rows.allInnerTexts();
      const total = await page.getByText(/^\d+ events$/).innerText();
      const age = page.getByText(/^As of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d, \d+ s ago$/).first();
      const lose = async (isLost: boolean) => {
        if (lost === 'the network') return await page.context().setOffline(isLost);
        const paths = /\/(api|healthz)\b/;
        if (isLost) await page.route(paths, (route) => route.abort());
        else await page.unroute(paths);
      };
      await lose(true);
      await page.getByRole('button', { name: 'Refresh' }).click();
      await page.getByText('The service does not answer').waitFor();
      await age.waitFor();
      // Another choice cannot be answered either.
      await page.getByRole('button', { name: /^High/ }).click();
      await expect.poll(() => new URL(page.url()).search).toContain('HIGH');
      expect(await rows.allInnerTexts()).toEqual(before);
      expect(await page.getByText(/^\d+ events$/).innerText()).toBe(total);
      await expectAccessible(page);
      await lose(false);
      await page.getByText('The service answers again').waitFor();
      await age.waitFor({ state: 'detached' });
      await expect
        .poll(async () => (await rows.allInnerTexts()).slice(1).every((text) => text.includes('High')))
        .toBe(true);
    },
  );

  it('leaves what other pages show, too', async () => {
    for (const [path, label] of [
      ['/rules', 'Rules'],
      ['/tables', 'Tables'],
      ['/schedules', 'Schedules'],
      ['/sources', 'Loggers'],
      ['/tickets?view=list', 'Tickets'],
      ['/audit', 'Audit'],
      ['/administration?family=users', 'Users'],
    ] as const) {
      const page = await suite.openPage({ path, as: 'master' });
      const rows = page.getByRole('grid', { name: label }).getByRole('row');
      await rows.nth(1).waitFor();
      await page.waitForLoadState('networkidle');
      const first = await rows.nth(1).innerText();
      await page.context().setOffline(true);
      await page
        .getByText(/^As of /)
        .first()
        .waitFor();
      expect([path, await rows.nth(1).innerText()]).toEqual([path, first]);
      await expectAccessible(page);
      await page.close();
    }
  });
});
