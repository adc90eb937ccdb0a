// Search, as it is used: written, run, filtered by clicks, read, followed live, saved and shared.

import { readFileSync } from 'node:fs';
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

const clipboardOf = (page: Page): Promise<string> => page.evaluate('navigator.clipboard.readText()');

/** The file that the browser stores. */
async function exportedAs(page: Page, format: string): Promise<{ name: string; lines: readonly string[] }> {
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: format }).click(),
  ]);
  const text = readFileSync(await download.path(), 'utf8');
  return { name: download.suggestedFilename(), lines: text.trimEnd().split(/\r?\n/) };
}

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
    const ran = queryIn(page);
    await page.goto(`${suite.service.url}/search`);
    await page.getByRole('button', { name: 'History' }).click();
    const history = page.getByRole('dialog', { name: 'History' });
    await history.getByRole('button', { name: ran }).click();
    await firstRow(page).waitFor();
    expect(queryIn(page)).toBe(ran);
    await page.getByRole('button', { name: 'History' }).click();
    await history.getByRole('button', { name: 'Clear history' }).click();
    await history.getByText('Queries that you run are listed here.').waitFor();
  });

  it('shows rows as table, lines and JSON, copies them, and moves columns by dragging, keys and menu', async () => {
    const columns = encodeURIComponent(JSON.stringify(['_time', 'method', 'status']));
    const page = await openPage({ path: path('table web', `&columns=${columns}`) });
    const shown = () => JSON.parse(new URL(page.url()).searchParams.get('columns') ?? '[]');
    const header = (name: string) => page.getByRole('columnheader', { name });
    await firstRow(page).waitFor();
    await header('status').dragTo(header('method'), { targetPosition: { x: 5, y: 5 } });
    await expect.poll(shown).toEqual(['_time', 'status', 'method']);
    await page.getByRole('button', { name: 'Column status' }).press('Alt+ArrowRight');
    await expect.poll(shown).toEqual(['_time', 'method', 'status']);
    await page.keyboard.press('Alt+ArrowLeft');
    await expect.poll(shown).toEqual(['_time', 'status', 'method']);
    await page.getByRole('button', { name: 'Column _time' }).click();
    await page.getByRole('menuitem', { name: 'Hide column' }).click();
    await expect.poll(shown).toEqual(['status', 'method']);
    await page.getByRole('button', { name: 'Column method' }).click();
    await page.getByRole('menuitem', { name: 'Move left' }).click();
    await expect.poll(shown).toEqual(['method', 'status']);

    await page.getByRole('button', { name: 'Raw', exact: true }).click();
    await firstRow(page).getByText('host=').waitFor();
    await page.getByRole('button', { name: 'JSON', exact: true }).click();
    await firstRow(page).getByText('"method":').waitFor();
    await expectAccessible(page);
    await firstRow(page).click();
    await firstRow(page).getByRole('button', { name: 'Copy row as JSON' }).click();
    await page.getByText('Copied', { exact: false }).first().waitFor();
    expect(JSON.parse(await clipboardOf(page))).toMatchObject({ _table: 'web', host: 'shop.hanbit.example' });
    await page.reload();
    await firstRow(page).getByText('"method":').waitFor();
    expect(shown()).toEqual(['method', 'status']);
  });

  it('offers and counts the fields of a table that declares none', async () => {
    const page = await openPage({ path: path('table auth') });
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

  it('follows new records, shows those around one, and copies its link', async () => {
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
    const scrollDown = async () => {
      await firstRow(page).hover();
      await page.mouse.wheel(0, 1200);
      // Rows far above leave the document.
      await expect.poll(() => firstRow(page).getAttribute('aria-rowindex')).not.toBe('2');
    };
    // While a row is read, and while the list is scrolled down, it stands still.
    await firstRow(page).click();
    await call(suite, 'tables/arriving/logs', '{"path":"/more"}\n'.repeat(60), 'application/x-ndjson');
    const show = page.getByRole('button', { name: /new records\. Show them/ });
    await show.waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => rowsOf(page).count()).toBeGreaterThan(20);
    await scrollDown();
    await call(suite, 'tables/arriving/logs', '{"path":"/latest"}', 'application/x-ndjson');
    await show.click();
    await firstRow(page).getByText('/latest').waitFor();
    await scrollDown();
    await call(suite, 'tables/arriving/logs', '{"path":"/last"}', 'application/x-ndjson');
    await show.waitFor();
    await page.mouse.wheel(0, -5000);
    await firstRow(page).getByText('/last').waitFor();
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
    expect(await clipboardOf(page)).toBe(page.url());
    const copied = await openPage({ path: page.url().slice(suite.service.url.length) });
    await copied.locator('[data-marked=true]').waitFor();
  });

  it('exports all rows, saves the query as dataset, schedule and rule, and shows what the service refuses', async () => {
    const page = await openPage({ path: path('table web | stats count by method | sort method') });
    await page.getByText('2 rows', { exact: true }).waitFor();
    const csv = await exportedAs(page, 'CSV');
    expect(csv.name).toMatch(/\.csv$/);
    expect(csv.lines[0]).toBe('method,count');
    const json = await exportedAs(page, 'JSON lines');
    expect(json.name).toMatch(/\.ndjson$/);
    expect(json.lines.map((line) => JSON.parse(line).method)).toEqual(['GET', 'POST']);
    expect(csv.lines.slice(1)).toEqual(json.lines.map((line) => Object.values(JSON.parse(line)).join(',')));

    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('menuitem', { name: 'Copy link with these exact times' }).click();
    await page.getByText('The link is in the clipboard.').waitFor();
    expect(new URL(await clipboardOf(page)).searchParams.get('from')).toMatch(/^\d{4}-.*Z$/);

    const dialog = page.getByRole('dialog');
    const saveAs = async (item: string, name: string) => {
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('menuitem', { name: item }).click();
      await dialog.getByLabel('Name').fill(name);
    };
    const submit = () => dialog.getByRole('button', { name: 'Save' }).click();
    await saveAs('Save as dataset', 'methods');
    await submit();
    await page.getByText('methods was saved.').waitFor();
    await saveAs('Save as dataset', 'methods');
    await submit();
    await dialog.getByText('The name methods is taken.').waitFor();
    await page.keyboard.press('Escape');
    await saveAs('Run on a schedule', 'methods at night');
    await dialog.getByLabel('Schedule').fill('every day');
    await submit();
    await dialog.getByRole('alert').waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Schedule').fill('0 3 * * *');
    await submit();
    await page.getByText('methods at night was saved.').waitFor();
    await saveAs('Save as batch rule', 'methods in use');
    await expectAccessible(page);
    await submit();
    await page.getByText('methods in use was saved.').waitFor();

    const member = await openPage({ as: 'lee', path: path('table web | limit 1') });
    await firstRow(member).waitFor();
    await member.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => member.getByRole('menuitem').allTextContents()).toEqual(['Save as dataset']);
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
