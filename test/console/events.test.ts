// Home and Events: from the spike of the attack to its address, its rule and its status.

import { expect, it } from 'vitest';
import { describeConsole, expectAccessible, takeScreenshot } from '#test/support/console-suite.ts';

/** It guesses passwords, and gets in. */
const ATTACKER = '203.0.113.57';

describeConsole('Home', ({ openPage }) => {
  it('shows the last day, and leads to what an address did', async () => {
    const page = await openPage({ as: 'master' });
    await page.getByRole('img', { name: /^Chart: Events over time\. [1-9]/ }).waitFor();
    for (const name of ['Logs per source', 'Growth of tables', 'Scheduled queries', 'Health', 'Audit trail']) {
      await page.getByRole('region', { name }).waitFor();
    }
    await page.getByRole('region', { name: 'Audit trail' }).getByText('Entries').waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'home');
    const sources = page.getByRole('region', { name: 'Logs per source' });
    await sources
      .getByRole('listitem')
      .filter({ hasText: 'shop-web' })
      .getByText(/^9\d(\.\d)?K$/)
      .waitFor();
    // What the address of the attack did in every table.
    const events = page.getByRole('region', { name: 'Newest high events' });
    await events.getByRole('link', { name: ATTACKER, exact: true }).first().click();
    const rows = page.getByRole('treegrid', { name: 'Rows' }).getByRole('row');
    await rows.nth(1).getByText(ATTACKER).first().waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe(`fulltext "${ATTACKER}"`);
    await page.getByText('481 rows', { exact: true }).waitFor();
    // The rule that found it, and the account that changed that rule.
    await page.goBack();
    await events.getByRole('link', { name: `backup logged in to bastion-1 from ${ATTACKER}` }).click();
    const event = page.getByRole('region', { name: 'Event', exact: true });
    await event.getByText('found this event').waitFor();
    await event.getByRole('link', { name: 'All versions of the rule' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/rules');
    await page.getByText('kim', { exact: false }).first().waitFor();
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page
      .getByRole('region', { name: 'Growth of tables' })
      .getByRole('link', { name: 'web', exact: true })
      .click();
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('table web');
  });

  it('is Korean at 390 pixels', async () => {
    const page = await openPage({ language: 'ko', width: 390, theme: 'dark' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('img', { name: /[1-9]/ }).first().waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'home-ko-390');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  });
});

describeConsole('Events', ({ openPage }) => {
  it('stand in the order of the time that they show, or of another column', async () => {
    const page = await openPage({ path: '/events' });
    const grid = page.getByRole('grid', { name: 'Events' });
    const header = (name: string) => grid.getByRole('columnheader', { name });
    const shown = async () => {
      await grid.getByRole('row').nth(2).waitFor();
      return await grid.getByRole('gridcell').locator('time').allInnerTexts();
    };
    const priorities = async () => (await grid.getByRole('row').allInnerTexts()).join(' ').match(/High|Medium|Low/g);
    expect(await header('Last match').getAttribute('aria-sort')).toBe('descending');
    const newest = await shown();
    expect(newest.length).toBeGreaterThan(2);
    expect(newest).toEqual(newest.toSorted().reverse());
    await header('Last match').getByRole('button').click();
    await expect.poll(shown).toEqual(newest.toReversed());
    expect(new URL(page.url()).searchParams.get('order')).toBe('ascending');
    await header('Priority').getByRole('button').click();
    await expect.poll(async () => (await priorities())?.slice(0, 3)).toEqual(['High', 'High', 'High']);
    await page.reload();
    await shown();
    expect(await header('Priority').getAttribute('aria-sort')).toBe('descending');
    await expectAccessible(page);
  });

  it('are filtered, opened with their rule, and marked with a reason', async () => {
    const page = await openPage({ path: '/events' });
    await page.getByRole('grid', { name: 'Events' }).getByRole('row').nth(1).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: /^High/ }).click();
    await expect.poll(() => new URL(page.url()).search).toContain('HIGH');
    await page.getByRole('grid', { name: 'Events' }).getByRole('row').nth(1).click();
    const detail = page.getByRole('region', { name: 'Event', exact: true });
    await detail.getByText('found this event').waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'events');
    const open = () => new URL(page.url()).searchParams.get('event');
    const first = open();
    await page.keyboard.press('j');
    await expect.poll(open).not.toBe(first);
    await page.keyboard.press('k');
    await expect.poll(open).toBe(first);
    await detail.getByText('found this event').waitFor();
    await page.keyboard.press('c');
    await page.getByLabel('Reason').fill('a test of the staff');
    await page.getByRole('button', { name: 'Apply' }).click();
    await detail.getByText('a test of the staff').waitFor();
  });

  it('are Korean at 390 pixels', async () => {
    const page = await openPage({ path: '/events', language: 'ko', width: 390, theme: 'dark' });
    await page.getByRole('row').nth(1).waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'events-ko-390');
  });
});
