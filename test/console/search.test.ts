// Search, as it is used: written, run, filtered by clicks, read, followed live, saved and shared.

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import {
  type ConsoleSuite,
  describeConsole,
  expectAccessible,
  expectNoSidewaysScroll,
  takeScreenshot,
} from '#test/support/console-suite.ts';
import { ENDLESS_JSON } from '#test/support/queries.ts';

const HOSTILE = '<img src=x onerror="document.title=1"> \u202etxt\u0007';

const path = (q: string, more = ''): string => `/search?q=${encodeURIComponent(q)}${more}`;
const queryIn = (page: Page): string => new URL(page.url()).searchParams.get('q') ?? '';
const rowsOf = (page: Page) => page.getByRole('treegrid', { name: 'Rows' }).getByRole('row');
/** The first is the header. */
const firstRow = (page: Page) => rowsOf(page).nth(1);

async function call(
  { service }: ConsoleSuite,
  operation: string,
  body: string,
  type = 'application/json',
): Promise<void> {
  const answer = await fetch(`${service.url}/api/core/${operation}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.keys.kim}`, 'content-type': type },
    body,
  });
  expect(answer.status, await answer.text()).toBe(200);
}

describeConsole('Search', (suite) => {
  const { openPage } = suite;

  it('begins with queries over the tables that are there, and a click runs one', async () => {
    const page = await openPage({ path: '/search' });
    await page.getByRole('heading', { name: 'Search your logs' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: /The newest records of/ }).click();
    await firstRow(page).waitFor();
    expect(queryIn(page)).toMatch(/^table \w+$/);
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByRole('dialog', { name: 'History' }).getByText(queryIn(page)).waitFor();
  });

  it('shows records with histogram and top values, and a click filters by one', async () => {
    const page = await openPage({ path: path('table web') });
    await firstRow(page).waitFor();
    await page.getByRole('img', { name: /^Chart: Records over time\. \d/ }).waitFor();
    const fields = page.getByRole('complementary', { name: 'Fields' });
    await fields.getByRole('button', { name: 'Only rows with status = 404' }).waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'search');
    await fields.getByRole('button', { name: 'Only rows with status = 404' }).click();
    await expect.poll(() => queryIn(page)).toBe('table web | search status == 404');
    await firstRow(page).getByText('404').waitFor();
    await firstRow(page).click();
    await firstRow(page).getByRole('button', { name: 'Without rows with status = 404' }).click();
    await expect.poll(() => queryIn(page)).toBe('table web | search not(status == 404)');
    await page.goBack();
    await expect.poll(() => queryIn(page)).toBe('table web | search status == 404');
  });

  it('zooms into the histogram by dragging', async () => {
    const page = await openPage({ path: path('table web') });
    const chart = page.getByRole('img', { name: /^Chart: Records over time\. \d/ });
    const box = await chart.boundingBox();
    if (!box) throw new Error('the histogram has no place');
    await page.mouse.move(box.x + box.width * 0.4, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 40);
    await page.mouse.up();
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).toMatch(/^\d{4}-/);
    await firstRow(page).waitFor();
  });

  it('is used by keyboard alone: written with completion, run, a row opened, a field shown as column', async () => {
    const page = await openPage({ path: '/search' });
    await page.getByRole('textbox', { name: 'Query' }).waitFor();
    await page.keyboard.type('tab');
    await page.getByRole('option', { name: 'table', exact: true }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('fire');
    await page.getByRole('option', { name: 'firewall' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Control+Enter');
    await firstRow(page).waitFor();
    await firstRow(page).focus();
    await page.keyboard.press('Enter');
    await firstRow(page).getByRole('button', { name: 'Copy row as JSON' }).waitFor();
    await expectAccessible(page);
    await firstRow(page).getByRole('button', { name: 'Hide column' }).nth(1).press('Enter');
    await expect.poll(() => page.url()).toContain('columns=');
    await page.keyboard.press('Escape');
    expect(queryIn(page)).toBe('table firewall');
  });

  it('marks a mistake as it is typed, and shows it with carets when it is run', async () => {
    const page = await openPage({ path: path('table web | serch status == 500') });
    const alert = page.getByRole('alert');
    await alert.getByText('^^^^^').waitFor();
    await alert.getByText('Code 92000', { exact: false }).waitFor();
    await page.locator('.cm-lintRange-error').waitFor();
    await expectAccessible(page);
    await alert.getByRole('button', { name: 'Replace with search' }).click();
    await expect.poll(() => queryIn(page)).toBe('table web | search status == 500');
    await firstRow(page).waitFor();
  });

  it('draws aggregates, and says what has no rows', async () => {
    const page = await openPage({ path: path('table web | timechart span=1h count by method') });
    await page.getByRole('img', { name: 'Chart: Chart' }).waitFor();
    await expectAccessible(page);
    await page.goto(`${suite.service.url}${path('table web | stats count by status', '&view=chart')}`);
    await page.getByRole('list', { name: 'count' }).getByText('200').waitFor();
    await page.goto(`${suite.service.url}${path('table web | search status == 1')}`);
    await page.getByRole('heading', { name: 'No rows' }).waitFor();
    await expectAccessible(page);
  });

  it('counts while it runs, and is cancelled', async () => {
    const page = await openPage({ path: path(ENDLESS_JSON) });
    await page.getByRole('list', { name: 'Rows passed on by each command' }).getByText('repeat').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled').waitFor();
  });

  it('shows stored text and never runs it: markup, control characters, marks of direction, long lines', async () => {
    await call(suite, 'tables', JSON.stringify({ table: 'hostile' }));
    const records = [
      { line: HOSTILE, n: 9223372036854775807n },
      { line: 'x'.repeat(1_000_000), n: 1 },
    ];
    const body = records.map(({ line, n }) => `{"line":${JSON.stringify(line)},"n":${n}}`).join('\n');
    await call(suite, 'tables/hostile/logs', body, 'application/x-ndjson');
    const page = await openPage({ path: path('table hostile | sort -n') });
    await firstRow(page).getByText('U+202E').waitFor();
    expect(await firstRow(page).textContent()).toContain('<img src=x');
    expect(await firstRow(page).textContent()).toContain('9223372036854775807');
    expect(await page.title()).toBe('Search · Vigil');
    await rowsOf(page).nth(2).click();
    await page.getByRole('button', { name: 'Show all 1,000,000 characters' }).click();
    await page.getByRole('button', { name: 'Show less' }).waitFor();
    await firstRow(page).click();
    await page.getByRole('button', { name: 'Only rows with n = 9223372036854775807' }).click();
    await expect.poll(() => queryIn(page)).toBe('table hostile | sort -n | search n == 9223372036854775807');
    await page.getByText('1 rows').waitFor();
  });

  it('follows new records, shows those around one, copies its link, exports and saves', async () => {
    await call(suite, 'tables', JSON.stringify({ table: 'arriving' }));
    const arrive = () => call(suite, 'tables/arriving/logs', '{"path":"/new"}', 'application/x-ndjson');
    const page = await openPage({ path: path('table arriving', '&live=true') });
    await page.getByText('Waiting for new records').waitFor();
    // The window begins a moment after the page says that it waits.
    await expect
      .poll(async () => {
        await arrive();
        return await firstRow(page).count();
      })
      .toBe(1);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('img', { name: /^Chart: Records over time/ }).waitFor();
    await firstRow(page).click();
    await page.getByRole('button', { name: 'Rows around this one' }).click();
    await page.getByRole('menuitem', { name: '± 10 seconds' }).click();
    await expect.poll(() => page.url()).toContain('mark=');
    await page.locator('[data-marked=true]').waitFor();
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('menuitem', { name: 'Copy link', exact: true }).click();
    await page.getByText('The link is in the clipboard.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(page.url());
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.csv$/);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('menuitem', { name: 'Save as batch rule' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('from search');
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('from search was saved.').waitFor();
  });

  it('speaks Korean, in a window of 390 pixels, in the dark', async () => {
    const page = await openPage({ path: path('table web'), language: 'ko', width: 390, theme: 'dark' });
    await page.getByRole('treegrid', { name: '행' }).getByRole('row').nth(1).waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: '필드' }).click();
    await page
      .getByRole('dialog', { name: '필드' })
      .getByRole('button', { name: /status = 404 인 행만/ })
      .click();
    await expect.poll(() => queryIn(page)).toBe('table web | search status == 404');
  });
});
