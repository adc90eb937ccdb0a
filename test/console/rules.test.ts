// Rules: from the attack to the rule that found it, back to an older version of it, and to a rule that was tested before it
// is in force.

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import {
  describeConsole,
  expectAccessible,
  expectNoSidewaysScroll,
  takeScreenshot,
} from '#test/support/console-suite.ts';

const BRUTE = 'SSH 무차별 대입';
const INJECTION = 'SQL 삽입 시도';
const LOST_DATASET = 'VPN 로그인 실패';

const detailOf = (page: Page) => page.getByRole('region', { name: 'Rule', exact: true });

/** Into an editor of queries; brackets and quotes are closed by the editor itself. */
async function writeQuery(page: Page, name: string, text: string) {
  const editor = page.getByRole('textbox', { name, exact: true }).last();
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

describeConsole('Rules', ({ openPage }) => {
  it('are reached from the attack; a broken version says why, is mended and restored', async () => {
    const page = await openPage({ path: '/events' });
    await page.getByRole('grid', { name: 'Events' }).getByRole('row').filter({ hasText: BRUTE }).first().click();
    await page.getByRole('link', { name: 'Open the rule' }).click();
    const detail = detailOf(page);
    await detail.getByText('Version 3: Changed').waitFor();
    await detail.getByRole('button', { name: 'Compare version 1 with the one in force' }).click();
    const sides = page.getByRole('region', { name: 'Compare' }).getByRole('table');
    await sides.getByText(LOST_DATASET).waitFor();
    expect(await sides.locator('del').allTextContents()).toContain('5');
    await expect.poll(() => new URL(page.url()).searchParams.get('left')).toBe('1');
    await expectAccessible(page);
    await takeScreenshot(page, 'rules-versions');

    await detail.getByRole('button', { name: 'Restore version 1' }).click();
    const dialog = page.getByRole('dialog', { name: 'Restore version 1' });
    await dialog.getByText(`Dataset: ${LOST_DATASET} is not there any more`).waitFor();
    expect(await dialog.getByRole('button', { name: 'Restore', exact: true }).isDisabled()).toBe(true);
    await expectAccessible(page);
    await takeScreenshot(page, 'rules-restore');
    await dialog.getByRole('button', { name: 'Create the dataset again' }).click();
    const mending = page.getByRole('dialog', { name: 'Create the dataset again' });
    expect(await mending.getByLabel('Name').inputValue()).toBe(LOST_DATASET);
    await writeQuery(page, 'Query', 'table auth | search result == "failure"');
    await mending.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Everything that the version refers to is there.').waitFor();
    await dialog.getByLabel('Comment').fill('the gateway is back');
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
    await detail.getByText('Version 4: Restored').waitFor();
    await detail.getByText('the gateway is back').waitFor();

    await page.keyboard.press('Escape');
    await detail.waitFor({ state: 'detached' });
    await page.goBack();
    await detail.getByRole('tab', { name: 'Hits' }).click();
    await detail.getByRole('img', { name: /^Chart: Events over time\. [1-9]/ }).waitFor();
    await detail.getByRole('tab', { name: 'Runs' }).click();
    await detail.getByRole('group', { name: 'Slots' }).getByRole('button').first().waitFor();
  });

  it('are opened by keyboard, tested on recent and pasted logs with the reason, and changed', async () => {
    const page = await openPage({ path: '/rules' });
    const row = page.getByRole('row').filter({ hasText: INJECTION });
    await row.waitFor();
    await row.focus();
    await page.keyboard.press('Enter');
    const detail = detailOf(page);
    await detail.getByRole('tab', { name: 'Overview' }).focus();
    await page.keyboard.press('ArrowRight');
    await detail.getByRole('button', { name: 'Test', exact: true, disabled: false }).press('Enter');
    await detail.getByText('of 100 match').waitFor();
    await detail
      .getByText(
        /Condition 1 does not hold: search contains\(lower\(path\), lower\("union select"\)\) · It read path =/,
      )
      .first()
      .waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'rules-test');

    await detail.getByRole('combobox', { name: 'Logs' }).click();
    await page.getByRole('option', { name: 'Pasted logs' }).click();
    const hostile = '<img src=x onerror=alert(1)>';
    await detail
      .getByLabel('Logs, one per line')
      .fill(`{"path":"/?q=1 UNION SELECT ${hostile}"}\n{"path":"/shop"}\n${hostile}`);
    await detail.getByRole('button', { name: 'Test', exact: true }).click();
    await detail.getByText('1 of 3 match').waitFor();
    await detail.getByText(/none of its fields is in the log/).waitFor();
    expect(await page.locator('img').count()).toBe(0);

    await detail.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('heading', { name: `Edit ${INJECTION}` }).waitFor();
    await page.getByRole('button', { name: 'Add condition' }).click();
    await writeQuery(page, 'Query text', 'search status >= 500');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText(/^\d+ of 100 match$/).waitFor();
    await expectAccessible(page);
    await page.getByLabel('Comment').fill('errors only');
    await page.getByRole('button', { name: 'Save' }).click();
    await detail.getByRole('tab', { name: 'Versions' }).click();
    await detail.getByText('Version 4: Changed').waitFor();
    await detail.getByText('errors only').waitFor();
  });

  it('of batches are tried without an event, created, switched and removed', async () => {
    const page = await openPage({ path: '/rules?kind=batch' });
    await page.getByRole('button', { name: 'New batch rule' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter a value.').first().waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Busy address');
    await page.getByLabel('Message of the event').fill('$src_ip asked $hits times');
    await page.getByLabel('Window (seconds)').fill('172800');
    await writeQuery(page, 'Query', 'table web | stats count as hits by src_ip | sort -hits | limit 3');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText('3 rows would make 3 events').waitFor();
    await page
      .getByText(/asked \d+ times/)
      .first()
      .waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'rules-trial');
    await page.getByRole('button', { name: 'Save' }).click();
    const detail = detailOf(page);
    await detail.getByText('Busy address').waitFor();
    await detail.getByRole('button', { name: 'Enable' }).click();
    await detail.getByText('In force').waitFor();
    await detail.getByRole('button', { name: 'Disable' }).click();
    await detail.getByText('Not in force').waitFor();
    await detail.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('row').filter({ hasText: 'Busy address' }).waitFor({ state: 'detached' });
    await expect.poll(() => new URL(page.url()).searchParams.get('rule')).toBeNull();
  });

  it('are read by members alone, in Korean at 390 pixels; a link to the editor says why', async () => {
    const options = { as: 'lee', language: 'ko', width: 390, theme: 'dark' } as const;
    const page = await openPage({ ...options, path: '/rules' });
    await page.getByRole('row').filter({ hasText: BRUTE }).click();
    await page.getByRole('tab', { name: '버전' }).click();
    await page.getByRole('button', { name: /비교/ }).first().waitFor();
    expect(await page.getByRole('button', { name: /복원|편집|삭제/ }).count()).toBe(0);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await takeScreenshot(page, 'rules-ko-390');
    await page.goto(`${page.url()}&edit=true`);
    await page
      .getByText(/관리자/)
      .first()
      .waitFor();
    expect(await page.getByRole('button', { name: '저장' }).count()).toBe(0);
  });
});
