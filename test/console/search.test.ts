// Search, as it is used: written, run, filtered by clicks, drawn, cancelled.

import { expect, it } from 'vitest';
import { firstRow, queryIn, runQuery, searchPath } from '#test/support/console-search.ts';
import {
  describeConsole,
  expectAccessible,
  expectNoSidewaysScroll,
  takeScreenshot,
} from '#test/support/console-suite.ts';
import { ENDLESS_JSON } from '#test/support/queries.ts';

describeConsole('Search', (suite) => {
  const { openPage } = suite;

  it('begins with queries over the tables that are there, is used by keyboard alone, and keeps a history', async () => {
    const page = await openPage({ path: '/search' });
    await page.getByRole('heading', { name: 'Search your logs' }).waitFor();
    await expectAccessible(page);
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

    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Search' }).click();
    await page.getByRole('button', { name: /The newest records of/ }).click();
    await expect.poll(() => queryIn(page)).toMatch(/^table \w+$/);
    await firstRow(page).waitFor();
    await page.getByRole('button', { name: 'History' }).click();
    const history = page.getByRole('dialog', { name: 'History' });
    await history.getByRole('button', { name: queryIn(page) }).waitFor();
    await history.getByRole('button', { name: 'table firewall' }).click();
    await expect.poll(() => queryIn(page)).toBe('table firewall');
    await firstRow(page).waitFor();
    await page.getByRole('button', { name: 'History' }).click();
    await history.getByRole('button', { name: 'Clear history' }).click();
    await history.getByText('Queries that you run are listed here.').waitFor();
    await page.keyboard.press('Escape');

    // A table that declares no fields.
    await runQuery(page, 'table auth');
    const fields = page.getByRole('complementary', { name: 'Fields' });
    await fields.getByRole('button', { name: 'Only rows with result = failure' }).waitFor();
    await page.getByRole('textbox', { name: 'Query' }).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' | search resu');
    await page.getByRole('option', { name: 'result', exact: true }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type(' == "failure"');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => queryIn(page)).toBe('table auth | search result == "failure"');
    await firstRow(page).waitFor();
  });

  it('shows records with histogram and top values; dragging zooms in, and a click filters', async () => {
    const page = await openPage({ path: searchPath('table web') });
    await firstRow(page).waitFor();
    const chart = page.getByRole('img', { name: /^Chart: Records over time\. \d/ });
    const fields = page.getByRole('complementary', { name: 'Fields' });
    await chart.waitFor();
    await fields.getByRole('button', { name: 'Only rows with status = 404' }).waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'search');
    const box = await chart.boundingBox();
    if (!box) throw new Error('the histogram has no place');
    await page.mouse.move(box.x + box.width * 0.4, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 40);
    await page.mouse.up();
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).toMatch(/^\d{4}-/);
    await firstRow(page).waitFor();
    await page.goBack();
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).toBeNull();
    await fields.getByRole('button', { name: 'Only rows with status = 404' }).click();
    await expect.poll(() => queryIn(page)).toBe('table web | search status == 404');
    await firstRow(page).getByText('404').waitFor();
    await firstRow(page).click();
    await firstRow(page).getByRole('button', { name: 'Without rows with status = 404' }).click();
    await expect.poll(() => queryIn(page)).toBe('table web | search not(status == 404)');
    await page.goBack();
    await expect.poll(() => queryIn(page)).toBe('table web | search status == 404');
  });

  it('marks mistakes, says what has no rows, draws and explains aggregates, counts while it runs, and is cancelled', async () => {
    const page = await openPage({ path: searchPath('table web | serch status == 500') });
    const alert = page.getByRole('alert');
    await alert.getByText('^^^^^').waitFor();
    await alert.getByText('Code 92000', { exact: false }).waitFor();
    await page.locator('.cm-lintRange-error').waitFor();
    await expectAccessible(page);
    await alert.getByRole('button', { name: 'Replace with search' }).click();
    await expect.poll(() => queryIn(page)).toBe('table web | search status == 500');
    await firstRow(page).waitFor();
    await runQuery(page, 'table web | search status == 1');
    await page.getByRole('heading', { name: 'No rows' }).waitFor();
    await expectAccessible(page);
    await runQuery(page, 'table web | timechart span=1h count by method');
    await page.getByRole('img', { name: 'Chart: Chart' }).waitFor();
    await expectAccessible(page);
    await page.goto(`${suite.service.url}${searchPath('table web | stats count by status', '&view=chart')}`);
    await page.getByRole('list', { name: 'count' }).getByText('200').waitFor();

    const counted = Number((await page.getByText(/^[\d,]+ rows$/).textContent())?.replaceAll(/\D/g, ''));
    await page.getByRole('button', { name: 'Explain' }).press('Enter');
    const explained = page.getByRole('dialog', { name: 'What runs where' });
    const stage = explained.getByRole('row', { name: /^Embedded engine/ });
    await stage.getByText('stats count by status').waitFor();
    // The plan alone: nothing has run.
    expect((await stage.getByRole('cell').allTextContents()).slice(1)).toEqual(['–', '–', '–', '–', '–']);
    await expectAccessible(page);
    await explained.getByRole('button', { name: 'Run and measure' }).press('Enter');
    await explained.getByText(`for ${counted} rows of the result`, { exact: false }).waitFor();
    const [read = ''] = (await stage.getByRole('cell').allTextContents()).slice(1);
    expect(Number(read.replaceAll(/\D/g, ''))).toBeGreaterThan(counted);
    await explained.getByText('Statement of stage 1', { exact: false }).click();
    await explained.getByText('select', { exact: false }).first().waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await explained.waitFor({ state: 'detached' });
    await runQuery(page, ENDLESS_JSON);
    await page.getByRole('list', { name: 'Rows passed on by each command' }).getByText('repeat').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled').waitFor();
  });

  it('speaks Korean, in a window of 390 pixels, in the dark', async () => {
    const page = await openPage({ path: searchPath('table web'), language: 'ko', width: 390, theme: 'dark' });
    await page.getByRole('treegrid', { name: '행' }).getByRole('row').nth(1).waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: '실행 분석' }).click();
    const explained = page.getByRole('dialog', { name: '어디에서 무엇을 실행하는지' });
    await explained.getByRole('rowheader', { name: '내장 엔진' }).first().waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: '필드' }).click();
    await page
      .getByRole('dialog', { name: '필드' })
      .getByRole('button', { name: /status = 404 인 행만/ })
      .click();
    await expect.poll(() => queryIn(page)).toBe('table web | search status == 404');
  });
});
