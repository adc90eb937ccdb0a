// Schedules: a query is scheduled, its slots are watched, its workflow is followed.

import { expect, it } from 'vitest';
import {
  describeConsole,
  expectAccessible,
  expectNoSidewaysScroll,
  takeScreenshot,
} from '#test/support/console-suite.ts';

describeConsole('Schedules', ({ openPage }) => {
  it('run a query at its times: every slot appears, by mouse and by keyboard', async () => {
    const page = await openPage({ path: '/schedules' });
    await page.getByRole('row').filter({ hasText: 'web-hourly' }).first().waitFor();
    await page.keyboard.press('n');
    const form = page.getByRole('dialog', { name: 'New schedule' });
    await form.getByLabel('Name').fill('each second');
    await form.getByRole('textbox', { name: 'Query' }).click();
    await page.keyboard.insertText('table web | limit 2');
    await form.getByLabel('Times').fill('* * * *');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText(/wrong cron expression format/).waitFor();
    await form.getByLabel('Times').fill('* * * * * *');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Save' }).click();
    const detail = page.getByRole('region', { name: 'Schedule', exact: true });
    const strip = detail.getByRole('group', { name: 'Slots' });
    await strip.getByRole('button', { name: /slots: .*Succeeded/ }).waitFor();
    await detail.getByRole('button', { name: 'Disable' }).click();
    await detail.getByText('Disabled').first().waitFor();
    // The run of the last slot may be under way: one by hand is refused until it has ended.
    await detail.getByRole('button', { name: 'Stop', disabled: true }).waitFor();
    await detail.getByRole('button', { name: 'Run now' }).click();
    await detail.getByRole('grid').getByText('Run by hand').waitFor();
    await strip.getByRole('button').last().focus();
    await page.keyboard.press('Enter');
    await detail
      .getByRole('grid', { name: /^Slots of / })
      .getByText('Run by hand')
      .waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('hour')).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}$/);
    await expectAccessible(page);

    await detail.getByRole('button', { name: 'Delete' }).click();
    const removing = page.getByRole('dialog', { name: 'Delete' });
    await removing.getByRole('combobox', { name: 'Where a run is active' }).click();
    await page.getByRole('option', { name: 'end the run and remove the schedule' }).click();
    await removing.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('row').filter({ hasText: 'each second' }).waitFor({ state: 'detached' });
  });

  it('form workflows; a run is stopped, and slots that did not run are run later', async () => {
    const page = await openPage({ path: '/schedules' });
    await page.getByRole('row').filter({ hasText: 'web-hourly' }).first().click();
    const detail = page.getByRole('region', { name: 'Schedule', exact: true });
    await detail.getByRole('button', { name: /slot/ }).last().waitFor();
    await takeScreenshot(page, 'schedules');
    await detail.getByRole('tab', { name: 'Workflow' }).click();
    const graph = detail.getByRole('list', { name: 'Workflow' });
    await graph.getByRole('button', { name: /web-verdict/ }).focus();
    await expectAccessible(page);
    await takeScreenshot(page, 'schedules-workflow');
    await page.keyboard.press('Enter');
    await detail.getByText('after web-hourly: succeeds').first().waitFor();
    await detail.getByRole('tab', { name: 'Slots' }).click();
    await detail
      .getByText(/Parameters: hits=/)
      .first()
      .waitFor();

    await page.getByRole('row').filter({ hasText: 'live-denials' }).click();
    await detail.getByText('live-denials').waitFor();
    await detail.getByRole('button', { name: 'Run now' }).click();
    await detail.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('dialog', { name: 'Stop' }).getByRole('button', { name: 'Stop' }).click();
    await detail.getByRole('grid').getByText('Cancelled').waitFor();

    await page.getByRole('row').filter({ hasText: '일일 보고' }).click();
    await detail.getByRole('button', { name: 'Backfill' }).click();
    const backfill = page.getByRole('dialog', { name: 'Backfill: 일일 보고' });
    await backfill.getByLabel('From').fill('2026-01-05T00:00');
    await backfill.getByLabel('To').fill('2026-01-05T23:00');
    await backfill.getByRole('button', { name: 'Backfill' }).click();
    await page.getByText('1 slots will run; 0 had run already').waitFor();
    await detail.getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('dialog', { name: 'Edit schedule' });
    await form.getByLabel('Description').fill('The busiest ones');
    await form.getByRole('button', { name: 'Save' }).click();
    await detail.getByText('The busiest ones').waitFor();
  });

  it('are Korean at 390 pixels, and closed to members', async () => {
    const options = { language: 'ko', width: 390, theme: 'dark' } as const;
    const page = await openPage({ ...options, path: '/schedules' });
    await page.getByRole('row').filter({ hasText: 'old-report' }).click();
    await page.getByText('실행할 수 없는 이유').waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await takeScreenshot(page, 'schedules-ko-390');
    const closed = await openPage({ ...options, as: 'lee', path: '/schedules' });
    await closed
      .getByText(/관리자/)
      .first()
      .waitFor();
    expect(await closed.getByRole('grid').count()).toBe(0);
  });
});
