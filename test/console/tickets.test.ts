// Tickets: a ticket is created, moved through its states by mouse, keys and menu, commented on, approved and refused.

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import {
  describeConsole,
  expectAccessible,
  expectNoSidewaysScroll,
  takeScreenshot,
} from '#test/support/console-suite.ts';

const HOSTILE = '<img src=x onerror=alert(1)> "{{7*7}}" 점검';

const column = (page: Page, name: string) => page.getByRole('list', { name, exact: true });
const card = (page: Page, status: string, title: string) =>
  column(page, status).getByRole('listitem').filter({ hasText: title });

describeConsole('Tickets', (suite) => {
  it('go through their states, by every way that their people have', async () => {
    const page = await suite.openPage({ path: '/tickets' });
    const board = page.getByRole('region', { name: 'Tickets', exact: true });
    await card(page, 'Assigned', 'backup logged in').waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'tickets');
    // Beside, the reader of another account reads the board: new tickets come by themselves.
    const other = await suite.openPage({ as: 'lee', path: '/tickets', language: 'ko', width: 390, theme: 'dark' });
    await card(other, '배정됨', 'backup logged in').waitFor();

    await page.getByRole('button', { name: 'New ticket' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill(HOSTILE);
    const approvers = dialog.getByRole('group', { name: 'Approvers' });
    await approvers.getByRole('checkbox', { name: /kim/ }).check();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'New ticket' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const detail = page.getByRole('region', { name: /^Ticket \d/ });
    await detail.getByText(HOSTILE).waitFor();
    await card(page, 'Assigned', HOSTILE).waitFor();

    const guid = new URL(page.url()).searchParams.get('ticket') ?? '';
    await page.keyboard.press('Escape');
    await detail.waitFor({ state: 'hidden' });

    // Dragged to where it may not go: the reason is told, and it stays.
    await card(page, 'Assigned', HOSTILE).dragTo(column(page, 'Closed'));
    await page.getByText('It has approvers: submit the work first.').waitFor();
    await card(page, 'Assigned', HOSTILE).dragTo(column(page, 'In progress'));
    await card(page, 'In progress', HOSTILE).waitFor();
    await card(page, 'In progress', HOSTILE).getByRole('button', { name: HOSTILE, exact: true }).focus();
    await page.keyboard.press('Shift+ArrowRight');
    await card(page, 'Submitted', HOSTILE).locator('button:focus').waitFor();
    await page.keyboard.press('Shift+ArrowRight');
    await card(page, 'Rejected', HOSTILE).waitFor();
    await card(page, 'Rejected', HOSTILE).getByRole('button', { name: 'Move ticket' }).click();
    await page.getByRole('menuitem', { name: 'Submit for approval' }).click();
    await card(page, 'Submitted', HOSTILE).waitFor();

    // Decided elsewhere meanwhile: the service refuses, and the board shows the ticket as it is.
    await board.getByRole('button', { name: HOSTILE, exact: true }).click();
    await detail.getByRole('button', { name: 'Approve' }).waitFor();
    await asKim(suite.service, guid);
    await detail.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('The ticket is not submitted any more.').waitFor();
    await card(page, 'Closed', HOSTILE).waitFor();

    await detail.getByLabel('Comment', { exact: true }).fill('done & <b>checked</b>');
    await detail.getByRole('button', { name: 'Add comment' }).click();
    await detail.getByRole('list', { name: 'Comments' }).getByText('done & <b>checked</b>').waitFor();
    await detail.getByRole('combobox', { name: 'Priority' }).click();
    await page.getByRole('option', { name: 'High' }).click();
    await card(page, 'Closed', HOSTILE).getByText('High').waitFor();
    await detail.getByRole('tab', { name: 'History' }).click();
    await detail.getByRole('list', { name: 'History' }).getByText('Closed').waitFor();
    await expectAccessible(page);

    // A ticket of a rule, of another assignee alone.
    await page.keyboard.press('Escape');
    await card(page, 'Assigned', 'asked for 550 pages').dragTo(column(page, 'In progress'));
    await page.getByText('Only its assignees report on it.').waitFor();
    await board.getByRole('button', { name: /asked for 550 pages/ }).click();
    await detail.getByRole('tab', { name: 'Events' }).click();
    await detail.getByRole('list', { name: 'Events' }).getByRole('link').first().waitFor();

    await card(other, '종료', HOSTILE).waitFor();
    await expectAccessible(other);
    await expectNoSidewaysScroll(other);
    await takeScreenshot(other, 'tickets-ko-390');
    // On a narrow window, with a finger: the menu moves.
    const mine = card(other, '배정됨', '2001:db8:bad::17');
    await mine.getByRole('button', { name: /^티켓 이동/ }).click();
    await other.getByRole('menuitem', { name: '작업 시작' }).click();
    await card(other, '진행 중', '2001:db8:bad::17').waitFor();
  });

  it('are listed, filtered and opened by keys alone', async () => {
    const page = await suite.openPage({ as: 'lee', path: '/tickets?view=list' });
    const grid = page.getByRole('grid', { name: 'Tickets' });
    await grid.getByRole('row').nth(3).waitFor();
    await expectAccessible(page);
    await page.getByRole('searchbox').focus();
    await page.keyboard.type('203.0.113.57');
    await expect.poll(() => new URL(page.url()).searchParams.get('keywords')).toBe('203.0.113.57');
    await grid.getByRole('row').filter({ hasText: '480 회' }).waitFor();
    await expect.poll(() => grid.getByRole('row').count()).toBe(3);
    await grid.getByRole('row').nth(1).focus();
    await page.keyboard.press('j');
    await page
      .getByRole('region', { name: /^Ticket \d/ })
      .getByText('Assigned')
      .first()
      .waitFor();
    await page.keyboard.press('j');
    const detail = page.getByRole('region', { name: /^Ticket \d/ });
    await detail.getByText('방화벽에서 차단을 요청했습니다').waitFor();
    await page.keyboard.press('Escape');
    await detail.waitFor({ state: 'hidden' });
    // A link reproduces the view.
    await page.goto(
      page
        .url()
        .replace('view=list', 'view=list&statuses=%5B%22CLOSED%22%5D')
        .replace(/keywords=[^&]*/, ''),
    );
    await grid.getByText('분기 계정 점검').waitFor();
  });
});

/** Approves with the key of the account, as another program would. */
async function asKim({ url, keys }: { url: string; keys: { kim: string } }, ticket: string): Promise<void> {
  const answer = await fetch(`${url}/api/core/tickets/${ticket}/approver-status`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${keys.kim}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'APPROVED' }),
  });
  expect(answer.status).toBe(200);
}
