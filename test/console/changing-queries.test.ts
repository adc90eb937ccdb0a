// Query texts that change something: a link, Back, a reload, a click on a value and a panel of another account do not run them; a
// click that names the commands does, and so does Run.

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { USERS } from '#demo/objects/guids.ts';
import { firstRow, runQuery, searchPath } from '#test/support/console-search.ts';
import { type ConsoleSuite, describeConsole, expectAccessible } from '#test/support/console-suite.ts';

const WRITES = 'json "{msg: \\"by kim\\"}" | import inbox';
const TITLE = 'This query changes something and has not run';
const RUN_IT = 'Run with import inbox';

describeConsole('A query that changes something', (suite) => {
  const { openPage } = suite;

  it('waits for a click where it comes from a link, a reload, Back, the history or another range', async () => {
    const page = await openPage({ path: searchPath(WRITES) });
    const sent = runsOf(page);
    await expectWaiting(page);
    await page.getByText('import inbox', { exact: true }).last().waitFor();
    await expectAccessible(page);
    expect(await stored(suite)).toBe(0);
    await page.reload();
    await expectWaiting(page);
    await page.goto(`${suite.service.url}${searchPath(WRITES, '&from=now-7d')}`);
    await expectWaiting(page);
    expect(await stored(suite)).toBe(0);
    expect(new Set(sent.map(({ read_only }) => read_only))).toEqual(new Set([true]));

    await page.getByRole('button', { name: RUN_IT }).click();
    await expect.poll(() => stored(suite)).toBe(1);
    await page.getByRole('heading', { name: TITLE }).waitFor({ state: 'detached' });

    await runQuery(page, 'json "{n: 1}"');
    await firstRow(page).waitFor();
    await page.goBack();
    await expectWaiting(page);
    await page.goForward();
    await firstRow(page).waitFor();
    await page.getByRole('button', { name: 'History' }).click();
    await page
      .getByRole('dialog', { name: 'History' })
      .getByRole('button', { name: /import inbox/ })
      .click();
    await expectWaiting(page);
    await page.getByRole('button', { name: /^Time range: / }).click();
    await page.getByRole('button', { name: 'Last hour' }).click();
    await expectWaiting(page);
    expect(await stored(suite)).toBe(1);
  });

  it('runs once by Run, and not again by what comes after it', async () => {
    const before = await stored(suite);
    const page = await openPage({ path: '/search' });
    await page.getByRole('heading', { name: 'Search your logs' }).waitFor();
    await runQuery(page, WRITES);
    await expect.poll(() => stored(suite)).toBe(before + 1);
    await page.reload();
    await expectWaiting(page);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect.poll(() => stored(suite)).toBe(before + 2);
    await page.getByRole('heading', { name: TITLE }).waitFor({ state: 'detached' });
  });

  it('of another account waits in its panel, also after Refresh', async () => {
    const before = await stored(suite);
    const panel = { id: 'a', title: 'Trap', query: WRITES, chart: 'table', x: 0, y: 0, w: 12, h: 6 };
    const made = await send(suite, 'POST', 'dashboards', {
      name: 'Shared',
      layout: { columns: 12, span: { last: 86_400 }, panels: [panel] },
      shared_users: [{ guid: USERS.kim, read_only: true }],
      shared_groups: [],
    });
    const { guid } = (await made.json()) as { guid: string }; // Declared by the operation.
    const page = await openPage({ path: `/dashboards?dashboard=${guid}` });
    const trap = page.getByRole('region', { name: 'Trap', exact: true });
    await trap.getByRole('heading', { name: TITLE }).waitFor();
    // No editor shows it.
    await trap.getByText(WRITES, { exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Refresh', exact: true }).click();
    await trap.getByRole('heading', { name: TITLE }).waitFor();
    expect(await stored(suite)).toBe(before);
    await trap.getByRole('button', { name: RUN_IT }).click();
    await expect.poll(() => stored(suite)).toBe(before + 1);
    await trap.getByRole('heading', { name: TITLE }).waitFor({ state: 'detached' });
  });
});

const expectWaiting = (page: Page): Promise<void> => page.getByRole('heading', { name: TITLE }).waitFor();

/** Queries that the page begins from here on. */
function runsOf(page: Page): readonly { readonly read_only?: boolean }[] {
  const sent: { readonly read_only?: boolean }[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/core/cursors')) sent.push(request.postDataJSON());
  });
  return sent;
}

function send({ service }: ConsoleSuite, method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${service.url}/api/core/${path}`, {
    method,
    headers: { authorization: `Bearer ${service.keys.master}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
}

/** Records in the table that the queries write to. */
async function stored(suite: ConsoleSuite): Promise<number> {
  const answer = await send(suite, 'GET', `query?q=${encodeURIComponent('table inbox | stats count')}&format=json`);
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  return JSON.parse(text).count;
}
