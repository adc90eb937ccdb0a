// Sentences that reassure or alarm: each state is made on the service, and the page says what is so.

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { LOGGERS, SCHEDULES } from '#demo/objects/guids.ts';
import { firstRow, searchPath } from '#test/support/console-search.ts';
import { type ConsoleSuite, describeConsole, expectAccessible } from '#test/support/console-suite.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { ENDLESS_JSON, hold } from '#test/support/queries.ts';

/** The data of the demo ends at the present. */
const clock = new ManualClock(Temporal.Now.instant().toString());

describeConsole(
  'Home',
  (suite) => {
    const { openPage } = suite;
    const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

    it('names schedules that cannot run, have failed or were left out, and counts disabled ones apart', async () => {
      const page = await openPage();
      const schedules = panel(page, 'Scheduled queries');
      const line = (name: string) => schedules.getByRole('listitem').filter({ hasText: name });
      // Disabled, with a text that has a mistake.
      await line('old-report').getByText('cannot run').waitFor();
      await line('old-report').getByText('(92000)').waitFor();
      await schedules.getByText(/\d run as planned$/).waitFor();
      await expectAccessible(page);

      const { scheduled_query: hourly } = await ask(suite, 'GET', `scheduled-queries/${SCHEDULES.hourly}`);
      await ask(suite, 'PUT', `scheduled-queries/${SCHEDULES.report}`, { ...hourly, name: 'off', enabled: false });
      await ask(suite, 'POST', 'scheduled-queries', { ...FAILING, cron_schedule: '0 0 1 1 *', name: 'fails' });
      const { guid } = await ask(suite, 'POST', 'scheduled-queries', { ...EVERY_MINUTE, name: 'left' });
      const { scheduled_queries } = await ask(suite, 'GET', 'scheduled-queries?keywords=fails');
      await ask(suite, 'POST', 'scheduled-queries/run', { guids: [scheduled_queries[0].guid] });
      await expect
        .poll(async () => (await ask(suite, 'GET', 'scheduled-queries?keywords=fails')).scheduled_queries[0])
        .toMatchObject({ result_state: 'failed' });
      // As after a machine that slept: slots found more than a minute late are missed.
      clock.leap({ minutes: 5 });
      await clock.settled();
      await expect
        .poll(async () => (await ask(suite, 'GET', `scheduled-queries/${guid}/slots?outcome=missed`)).total_count)
        .toBeGreaterThan(0);
      await page.reload();
      await line('fails').getByText('failed', { exact: true }).waitFor();
      await line('left').getByText('left out').waitFor();
      await line('left')
        .getByText(/slots? of the last 24 hours did not run/)
        .waitFor();
      await schedules.getByText('1 disabled').waitFor();
      expect(await schedules.innerText()).not.toContain('All ');
    });

    it('does not call an import that has ended the rate of now', async () => {
      const page = await openPage();
      const sources = panel(page, 'Logs per source');
      const line = sources.getByRole('listitem').filter({ hasText: 'edge-fw' });
      await line.waitFor();
      const lines = Array.from({ length: 500 }, (_, n) => JSON.stringify({ n })).join('\n');
      await send(suite, `loggers/${LOGGERS.firewall}/logs`, lines);
      clock.advance({ minutes: 1 });
      await page.reload();
      await line.getByText('500 in the last minute').waitFor();
      clock.advance({ minutes: 1 });
      await page.reload();
      await line.getByText(/^last /).waitFor();
      expect(await sources.innerText()).not.toMatch(/now|in the last minute/);
      await page.goto(`${suite.service.url}/sources`);
      await page
        .getByRole('row', { name: /edge-fw/ })
        .getByText('0 in the last minute')
        .waitFor();
    });

    it('says where records have arrived although there is no logger, and "nothing yet" only of none at all', async () => {
      await send(suite, 'tables/pushed/logs?create=true', '{"msg":"hello"}');
      const page = await openPage({ as: 'master' });
      const sources = panel(page, 'Logs per source');
      await sources
        .getByText('Records have arrived without a logger in')
        .getByRole('link', { name: 'pushed' })
        .waitFor();
      await sources.getByRole('listitem').filter({ hasText: 'edge-fw' }).waitFor();

      const { loggers } = await ask(suite, 'GET', 'loggers');
      await ask(suite, 'DELETE', 'loggers', { guids: loggers.map(({ guid }: { guid: string }) => guid) });
      await page.reload();
      await sources.getByRole('link', { name: 'pushed' }).waitFor();
      expect(await sources.innerText()).not.toContain('No source has sent anything');
      await page.goto(`${suite.service.url}/sources`);
      await page.getByText('No loggers here').waitFor();
      await page.getByRole('link', { name: 'pushed' }).waitFor();
      await expectAccessible(page);

      const { tables } = await ask(suite, 'GET', 'tables');
      for (const { table_name } of tables) await ask(suite, 'DELETE', `tables/${table_name}`);
      await page.goto(suite.service.url);
      await sources.getByText('No source has sent anything yet').waitFor();
      // Without a grant nothing is known of what others see.
      await suite.signIn(page, 'lee');
      await page.reload();
      await sources.getByText('Nothing has arrived in the tables that are shared with you').waitFor();
      await panel(page, 'Growth of tables').getByText('No table is shared with you').waitFor();
    });
  },
  { clock },
);

describeConsole(
  'Search',
  (suite) => {
    const { openPage } = suite;

    it('does not say that there is no data while a query waits or runs, nor of one that was cancelled or failed', async () => {
      const held = await hold(suite.service.url, ENDLESS_JSON, suite.service.keys.kim);
      const page = await openPage({ path: searchPath('table web') });
      await page.getByText('Waiting for its turn').waitFor();
      await page.getByRole('status', { name: 'Chart: Records over time. Loading…' }).waitFor();
      for (const claim of ['No data in this range', 'No field has this name', 'No rows']) {
        expect(await page.getByText(claim).count(), claim).toBe(0);
      }
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('The query was cancelled before it had found a row.').waitFor();
      expect(await page.getByText('No rows').count()).toBe(0);
      held[Symbol.dispose]();
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await firstRow(page).waitFor();
      await page.getByRole('img', { name: /^Chart: Records over time\. \d/ }).waitFor();

      await page.goto(`${suite.service.url}${searchPath('json "[]"')}`);
      await page.getByRole('heading', { name: 'No rows' }).waitFor();
      await page.goto(`${suite.service.url}${searchPath(FAILS_WHILE_IT_RUNS)}`);
      await page.getByRole('heading', { name: 'The query has failed' }).waitFor();
      expect(await page.getByText('No rows').count()).toBe(0);
    });
  },
  { flags: { 'queries-per-account': '1' } },
);

/** Its values become more columns than there may be. */
const FAILS_WHILE_IT_RUNS = 'json "[{}]" | repeat count=20000 | eval n = seq() | pivot count cols n';

const EVERY_MINUTE = { query: 'json "{}"', trigger_type: 'cron', cron_schedule: '* * * * *', enabled: true };
const FAILING = { ...EVERY_MINUTE, query: FAILS_WHILE_IT_RUNS };

/** As an administrator; what the service answers is declared by its operations. */
async function ask({ service }: ConsoleSuite, method: string, path: string, body?: object) {
  const answer = await fetch(`${service.url}/api/core/${path}`, {
    method,
    headers: { authorization: `Bearer ${service.keys.master}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  return JSON.parse(text);
}

async function send({ service }: ConsoleSuite, path: string, lines: string): Promise<void> {
  const answer = await fetch(`${service.url}/api/core/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.keys.master}`, 'content-type': 'application/x-ndjson' },
    body: lines,
  });
  expect(answer.status, await answer.text()).toBe(200);
}
