// Audit: what was just done is read in full, filtered, exported and proven.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  describeConsole,
  expectAccessible,
  expectNoSidewaysScroll,
  takeScreenshot,
} from '#test/support/console-suite.ts';

const HOSTILE = '<img src=x onerror=alert(1)> "{{7*7}}" 분류';

describeConsole('Audit', (suite) => {
  it('shows what was just done, with what it was before', async () => {
    const guid = await changeCategory(suite.service);
    const page = await suite.openPage({ as: 'master', path: '/tickets' });
    await page.getByRole('button', { name: /asked for 550 pages/ }).click();
    const ticket = page.getByRole('region', { name: /^Ticket \d/ });
    for (const name of ['Low', 'High']) {
      await ticket.getByRole('combobox', { name: 'Priority' }).click();
      await page.getByRole('option', { name }).click();
      await ticket.getByRole('combobox', { name: 'Priority' }).getByText(name).waitFor();
      await ticket.getByText(name).first().waitFor();
    }
    await ticket.getByRole('tab', { name: 'History' }).click();
    await ticket.getByRole('list', { name: 'History' }).getByText('Set ticket priority').first().waitFor();
    await ticket.getByRole('link', { name: 'Audit entry' }).first().click();

    const entry = page.getByRole('region', { name: /^Entry \d/ });
    const changes = entry.getByRole('region', { name: 'Before and after' });
    await expect.poll(() => changes.getByRole('row').last().innerText()).toMatch(/Priority.*1\s+3/s);
    await expectAccessible(page);
    await takeScreenshot(page, 'audit');
    await entry.getByRole('button', { name: 'Show the proof of this entry' }).click();
    await entry.getByText(/Not signed yet|Signed with the checkpoint/).waitFor();
    await entry.getByRole('link', { name: 'Open in Tickets' }).click();
    await ticket.getByText('asked for 550 pages').first().waitFor();

    // Filters from the label lists, a user, and a text.
    await page.goto(`${suite.service.url}/audit`);
    const grid = page.getByRole('grid', { name: 'Audit' });
    await grid.getByRole('row').nth(1).waitFor();
    await page.getByRole('button', { name: /^Category/ }).click();
    await page.getByRole('searchbox', { name: 'Find in the list' }).fill('rule cat');
    await page.getByRole('checkbox', { name: 'Rule categories' }).check();
    await page.keyboard.press('Escape');
    await expect.poll(() => new URL(page.url()).searchParams.get('categories')).toBe('["rule-categories"]');
    await page.getByRole('combobox', { name: 'User' }).click();
    await page.getByRole('option', { name: 'kim', exact: true }).click();
    await page.getByRole('searchbox', { name: 'Text in any field' }).fill(guid);
    await expect.poll(() => grid.getByRole('row').count()).toBe(3);
    await grid.getByRole('row').nth(1).focus();
    await page.keyboard.press('Enter');
    await expect
      .poll(() => changes.getByRole('row').filter({ hasText: HOSTILE }).innerText())
      .toContain(`\tplain\t${HOSTILE}`);
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Export' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const lines = readFileSync(await (await downloading).path(), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines.map((line) => JSON.parse(line).method)).toEqual(['create', 'update']);
  });

  it('is proven up to a checkpoint, which the browser checks itself', async () => {
    const page = await suite.openPage({ as: 'master', path: '/audit?view=proof' });
    const proven = page.getByRole('region', { name: 'Proven' });
    await proven.getByText(/Entries 1 to [1-9]/).waitFor();
    await proven.getByText('Fits', { exact: true }).waitFor();
    await page.getByRole('region', { name: 'Not signed yet' }).getByText('Newest entry').waitFor();
    await page.getByRole('region', { name: 'Not in the trail' }).waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'audit-proof');
  });

  it('is Korean at 390 pixels, and a link opens any entry', async () => {
    const page = await suite.openPage({
      as: 'master',
      path: '/audit?entry=1',
      language: 'ko',
      width: 390,
      theme: 'dark',
    });
    const entry = page.getByRole('region', { name: '기록 1', exact: true });
    await entry.getByText('service.install').waitFor();
    await expectAccessible(page);
    await entry.getByRole('button', { name: '닫기' }).click();
    await page.getByRole('row').nth(1).waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await takeScreenshot(page, 'audit-ko-390');
  });

  it('is not for an administrator, who reads why', async () => {
    const page = await suite.openPage({ as: 'kim', path: '/audit' });
    await page.getByText('It needs the role Master; your account has the role Administrator.').waitFor();
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Audit' }).count()).toBe(0);
  });
});

/** A rule category that is made and renamed, by the account kim. */
async function changeCategory({ url, keys }: { url: string; keys: { kim: string } }): Promise<string> {
  const send = async (method: string, path: string, body: unknown) => {
    const answer = await fetch(`${url}/api/core/rule-categories${path}`, {
      method,
      headers: { authorization: `Bearer ${keys.kim}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    return answer;
  };
  const made = await send('POST', '', { name: 'plain', description: 'the same' });
  const { guid }: { guid: string } = Object(await made.json());
  await send('PUT', `/${guid}`, { name: HOSTILE, description: 'the same' });
  return guid;
}
