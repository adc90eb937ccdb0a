// What Search gives: rows in their views, stored text, a live tail, files, and queries that are saved.

import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { firstRow, post, queryIn, rowsOf, searchPath } from '#test/support/console-search.ts';
import { describeConsole, expectAccessible } from '#test/support/console-suite.ts';

const HOSTILE = '<img src=x onerror="document.title=1"> \u202etxt\u0007';

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

describeConsole('The result of a search', (suite) => {
  const { openPage } = suite;

  it('shows rows as table, lines and JSON, copies them, and moves columns by dragging, keys and menu', async () => {
    const columns = encodeURIComponent(JSON.stringify(['_time', 'method', 'status']));
    const page = await openPage({ path: searchPath('table web', `&columns=${columns}`) });
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

  it('shows stored text and never runs it: markup, control characters, marks of direction, long lines', async () => {
    await post(suite, 'tables', JSON.stringify({ table: 'hostile' }));
    const records = [
      { line: HOSTILE, n: 9223372036854775807n },
      { line: 'x'.repeat(1_000_000), n: 1 },
    ];
    const body = records.map(({ line, n }) => `{"line":${JSON.stringify(line)},"n":${n}}`).join('\n');
    await post(suite, 'tables/hostile/logs', body, 'application/x-ndjson');
    const page = await openPage({ path: searchPath('table hostile | sort -n') });
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
    await post(suite, 'tables', JSON.stringify({ table: 'arriving' }));
    const arrive = () => post(suite, 'tables/arriving/logs', '{"path":"/new"}', 'application/x-ndjson');
    const page = await openPage({ path: searchPath('table arriving', '&live=true') });
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
      // Rows far above leave the document. A turn of the wheel while rows are laid out anew may be lost.
      await expect
        .poll(async () => {
          await page.mouse.wheel(0, 1200);
          return await firstRow(page).getAttribute('aria-rowindex');
        })
        .not.toBe('2');
    };
    // While a row is read, and while the list is scrolled down, it stands still.
    await firstRow(page).click();
    await post(suite, 'tables/arriving/logs', '{"path":"/more"}\n'.repeat(60), 'application/x-ndjson');
    const show = page.getByRole('button', { name: /new records\. Show them/ });
    await show.waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => rowsOf(page).count()).toBeGreaterThan(20);
    await scrollDown();
    await post(suite, 'tables/arriving/logs', '{"path":"/latest"}', 'application/x-ndjson');
    await show.click();
    await firstRow(page).getByText('/latest').waitFor();
    await scrollDown();
    await post(suite, 'tables/arriving/logs', '{"path":"/last"}', 'application/x-ndjson');
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
    const page = await openPage({ path: searchPath('table web | stats count by method | sort method') });
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
    await page.getByRole('button', { name: 'Discard' }).click();
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

    const member = await openPage({ as: 'lee', path: searchPath('table web | limit 1') });
    await firstRow(member).waitFor();
    await member.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => member.getByRole('menuitem').allTextContents()).toEqual(['Save as dataset']);
  });
});
