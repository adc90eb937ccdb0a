// Tables: from the list to the days of one, what a retention and a removal would take away, its fields, its grants, its end.

import { expect, it } from 'vitest';
import {
  type ConsoleSuite,
  describeConsole,
  expectAccessible,
  expectNoSidewaysScroll,
  takeScreenshot,
} from '#test/support/console-suite.ts';

const DAY_MS = 86_400_000;

/** A record ten days old, two nine days old, one of now. */
async function pushOldLogs({ service }: ConsoleSuite, table: string): Promise<void> {
  const logs = [10, 9, 9, 0].map((days) => JSON.stringify({ _time: Date.now() - days * DAY_MS, msg: 'old' }));
  const answer = await fetch(`${service.url}/api/core/tables/${table}/logs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.keys.kim}`, 'content-type': 'application/x-ndjson' },
    body: logs.join('\n'),
  });
  expect(await answer.json()).toMatchObject({ accepted: 4 });
}

describeConsole('Tables', (suite) => {
  it('show their days, and how many a retention or a removal would take away', async () => {
    await pushOldLogs(suite, 'inbox');
    const page = await suite.openPage({ path: '/tables' });
    const list = page.getByRole('grid', { name: 'Tables' });
    await list.getByRole('row', { name: /^web [\d.]+K / }).waitFor();
    await list.getByRole('row', { name: /^inbox 4 / }).click();
    const panel = page.getByRole('region', { name: 'Table', exact: true });
    const dialog = page.getByRole('dialog');
    await panel.getByRole('img', { name: 'Chart: Rows by day. 4' }).waitFor();
    await expectAccessible(page);
    await panel.getByRole('button', { name: 'Bytes by day' }).click();
    await panel.getByRole('img', { name: /^Chart: Bytes by day\. [\d.]+ k?B/ }).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('measure')).toBe('bytes');

    await panel.getByRole('button', { name: 'Set retention' }).click();
    await dialog.getByText('Removes nothing that is stored now.').waitFor();
    await dialog.getByLabel('Days to keep').fill('5');
    await dialog.getByText(/^Removes 2 days with 3 rows, .* Days from \d{4}-\d{2}-\d{2} on stay\.$/).waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'tables-retention');
    await dialog.getByLabel('Days to keep').fill('60');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await panel.getByText('60 days', { exact: true }).waitFor();

    await panel.getByRole('button', { name: 'Remove days' }).click();
    await dialog.getByText(/^Removes 1 day with 1 rows, /).waitFor();
    await dialog.getByRole('button', { name: 'Remove days' }).click();
    await panel.getByRole('img', { name: /^Chart: Bytes by day/ }).waitFor();
    await expect.poll(() => panel.getByRole('grid', { name: 'Days' }).getByRole('row').count()).toBe(3);
  });

  it('are made, shared and removed by keyboard', async () => {
    const page = await suite.openPage({ path: '/tables' });
    const panel = page.getByRole('region', { name: 'Table', exact: true });
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New table', disabled: false }).press('Enter');
    await dialog.getByLabel('Name of the table').fill('1st');
    await page.keyboard.press('Enter');
    await dialog.getByText(/must begin with a letter/).waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Name of the table').fill('archive');
    await page.keyboard.press('Enter');
    await panel.getByText('No records yet').waitFor();

    await panel.getByRole('tab', { name: 'Days' }).focus();
    await page.keyboard.press('ArrowRight');
    await panel.getByRole('row', { name: '_time date' }).waitFor();
    await panel.getByRole('tab', { name: 'Sharing' }).press('Enter');
    await panel.getByText('Shared with nobody').waitFor();
    await panel.getByRole('button', { name: 'Change sharing', disabled: false }).press('Enter');
    await dialog.getByRole('button', { name: 'Add a group', disabled: false }).press('Enter');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save', disabled: false }).press('Enter');
    await panel.getByText('보안관제팀').waitFor();

    await panel.getByRole('button', { name: 'Delete', disabled: false }).press('Enter');
    await dialog.getByText('1 grant on it').waitFor();
    await dialog.getByRole('button', { name: 'Delete', disabled: false }).press('Enter');
    await page.getByText('The table archive is removed.').waitFor();
    await expect.poll(() => page.getByRole('row', { name: /^archive / }).count()).toBe(0);
  });

  it('are Korean at 390 pixels, and one that loggers use stays', async () => {
    const page = await suite.openPage({ path: '/tables?table=web', language: 'ko', width: 390, theme: 'dark' });
    await page.getByRole('img', { name: /^차트: 일자별 행 수\. [1-9]/ }).waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await takeScreenshot(page, 'tables-ko-390');
    await page.getByRole('button', { name: '삭제', exact: true }).click();
    await page.getByText('수집기 shop-web').waitFor();
    expect(await page.getByRole('dialog').getByRole('button', { name: '삭제' }).isDisabled()).toBe(true);
  });

  it('offer a member what it may do, and say so where a link names another table', async () => {
    const page = await suite.openPage({ path: '/tables?table=web', as: 'lee' });
    await page.getByRole('img', { name: /^Chart: Rows by day\. [1-9]/ }).waitFor();
    await takeScreenshot(page, 'tables');
    for (const name of ['New table', 'Delete', 'Set retention', 'Settings']) {
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    }
    await page.goto(`${suite.service.url}/tables?table=nowhere`);
    await page.getByText('This table is not there, or it is not shared with you').waitFor();
  });
});
