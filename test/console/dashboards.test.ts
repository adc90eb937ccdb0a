// Dashboards: the attack of the demo is seen, a dashboard is made, arranged by mouse and keys, shared and removed.

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Layout } from '#console/pages/dashboards/dashboard.ts';
import { DASHBOARDS } from '#demo/objects/guids.ts';
import {
  describeConsole,
  expectAccessible,
  expectNoSidewaysScroll,
  takeScreenshot,
} from '#test/support/console-suite.ts';

const HOSTILE = '<img src=x onerror=alert(1)> "{{7*7}}" 현황';
const SECURITY = `/dashboards?dashboard=${DASHBOARDS.security}`;
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

const MAX_TABS = 80;

/** Presses Tab until the focus is on the control of this name. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < MAX_TABS; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(`(() => {
      const { activeElement: element } = document;
      const label = element.labels?.[0] ?? element;
      return (element.getAttribute('aria-label') ?? label.textContent).trim();
    })()`);
    if (focused === name) return;
  }
  throw new Error(`Tab does not lead to ${name}`);
}

async function addPanel(page: Page, title: string, query: string, chart: string): Promise<void> {
  await page.getByRole('button', { name: 'Add panel' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Title').fill(title);
  await dialog.getByRole('textbox', { name: 'Query' }).click();
  await page.keyboard.insertText(query);
  await dialog.getByRole('combobox', { name: 'Shown as' }).click();
  await page.getByRole('option', { name: chart, exact: true }).click();
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await panel(page, title).waitFor();
}

describeConsole('Dashboards', (suite) => {
  const layoutOf = async (name: string) => {
    const { url, keys } = suite.service;
    const answer = await fetch(`${url}/api/core/dashboards`, { headers: { authorization: `Bearer ${keys.kim}` } });
    // As the operation answers.
    const { dashboards } = (await answer.json()) as { dashboards: readonly { name: string; layout: Layout }[] };
    return dashboards.find((one) => one.name === name)?.layout;
  };

  it('show the attack, refresh by themselves without counting as activity, and fill the screen', async () => {
    const page = await suite.openPage({ path: SECURITY });
    await panel(page, '시간별 로그인 실패').getByRole('img').waitFor();
    await panel(page, '공격자').getByText('203.0.113.57').waitFor();
    await panel(page, '로그인 실패').getByText('failures').waitFor();
    await panel(page, '방화벽 처리').getByText('deny').waitFor();
    await panel(page, '시도한 계정').getByRole('cell', { name: 'root' }).waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'dashboards');

    await page.clock.install();
    await page.getByRole('combobox', { name: 'Automatic refresh' }).click();
    await page.getByRole('option', { name: 'Every 10 s' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('refresh')).toBe('10');
    const repeated = page.waitForRequest(
      (request) => request.url().endsWith('/cursors') && request.method() === 'POST',
    );
    await page.clock.fastForward(10_000);
    expect((await repeated).headers()['x-vigil-refresh']).toBe('true');
    const asked = page.waitForRequest((request) => request.url().endsWith('/cursors') && request.method() === 'POST');
    await page.keyboard.press('r');
    expect((await asked).headers()['x-vigil-refresh']).toBeUndefined();

    await page.getByRole('button', { name: 'Full screen' }).click();
    await expect.poll(() => page.evaluate('document.fullscreenElement !== null')).toBe(true);
    await page.evaluate('document.exitFullscreen()');
    await panel(page, '공격자').getByRole('link').click();
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toContain('stats count by src_ip');
  });

  it('are made, arranged by mouse and keys, shared, and removed', async () => {
    const page = await suite.openPage({ path: '/dashboards' });
    await panel(page, 'Requests').getByRole('img').waitFor();
    await page.keyboard.press('n');
    await page.getByRole('dialog').getByLabel('Name').fill(HOSTILE);
    await page.keyboard.press('Enter');
    await page.getByText('No panels yet').waitFor();
    await addPanel(page, 'Sources', 'table web | stats count by src_ip | sort -count | limit 5', 'Bars');
    await addPanel(page, HOSTILE, "json \"[{'a': '<b>x</b>'}]\"", 'Table');
    await addPanel(page, 'Broken', 'tabel web', 'Lines');
    await panel(page, HOSTILE).getByText('<b>x</b>').waitFor();
    await panel(page, 'Broken').getByRole('alert').waitFor();
    await expectAccessible(page);

    // Beside the first, by the keys of its handle.
    await page.getByRole('button', { name: `Move ${HOSTILE}: drag, or arrow keys`, exact: true }).focus();
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight']) {
      await page.keyboard.press(key);
    }
    for (let row = 0; row < 5; row += 1) await page.keyboard.press('ArrowUp');
    const sizer = page.getByRole('button', { name: 'Resize Sources' });
    const corner = await sizer.boundingBox();
    const width = (await panel(page, 'Sources').boundingBox())?.width ?? 0;
    if (!corner) throw new Error('the corner of the panel is not there');
    await page.mouse.move(corner.x + 5, corner.y + 5);
    await page.mouse.down();
    // Two columns less, two rows more.
    await page.mouse.move(corner.x + 5 - width / 3, corner.y + 5 + 128, { steps: 4 });
    await page.mouse.up();
    await page.getByRole('button', { name: 'Remove Broken' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
    expect((await layoutOf(HOSTILE))?.panels).toMatchObject([
      { title: 'Sources', chart: 'bar', x: 0, y: 0, w: 4, h: 7 },
      { title: HOSTILE, chart: 'table', x: 6, y: 0, w: 6, h: 5 },
    ]);

    await page.getByRole('button', { name: 'Share' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add group' }).click();
    await dialog.getByRole('combobox', { name: 'Group' }).click();
    await page.getByRole('option').first().click();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const shared = new URL(page.url()).searchParams.get('dashboard') ?? '';
    const reader = await suite.openPage({ as: 'lee', path: `/dashboards?dashboard=${shared}&edit=true` });
    await panel(reader, 'Sources').waitFor();
    expect(await reader.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0);
    expect(await reader.getByRole('button', { name: 'Add panel' }).count()).toBe(0);

    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Delete dashboard' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await panel(page, 'Requests').waitFor();
    expect(await layoutOf(HOSTILE)).toBeUndefined();
    await reader.reload();
    await reader.getByText('This dashboard is not there').waitFor();
    await reader.close();

    // Once more, by keyboard alone.
    await page.keyboard.press('n');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('By keys');
    await page.keyboard.press('Enter');
    await page.getByText('No panels yet').waitFor();
    await tabTo(page, 'Add panel');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Title').waitFor();
    await page.keyboard.type('Newest');
    await tabTo(page, 'Query');
    await page.keyboard.type('table web | limit 5');
    await tabTo(page, 'Shown as');
    await page.keyboard.press('Enter');
    const table = page.getByRole('option', { name: 'Table', exact: true });
    await table.waitFor();
    await page.keyboard.type('Table');
    await table.and(page.locator('[data-highlighted]')).waitFor();
    await page.keyboard.press('Enter');
    await tabTo(page, 'Apply');
    await page.keyboard.press('Enter');
    await panel(page, 'Newest').getByRole('row').nth(5).waitFor();
    await tabTo(page, 'Move Newest: drag, or arrow keys');
    await page.keyboard.press('ArrowRight');
    await tabTo(page, 'Resize Newest: drag, or arrow keys');
    await page.keyboard.press('ArrowDown');
    await tabTo(page, 'Save');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
    expect((await layoutOf('By keys'))?.panels).toMatchObject([{ title: 'Newest', chart: 'table', x: 1, y: 0, h: 6 }]);
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
  });

  it('are Korean at 390 pixels, one panel below the other', async () => {
    const page = await suite.openPage({ path: SECURITY, language: 'ko', width: 390, theme: 'dark' });
    await panel(page, '공격자').getByText('203.0.113.57').waitFor();
    await panel(page, '시간별 차단').getByRole('img').waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await takeScreenshot(page, 'dashboards-ko-390');
  });
});
