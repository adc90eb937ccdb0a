// Sources: a sender is added in four steps until its first log is there, files are uploaded over a reload, loggers are kept.

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import {
  describeConsole,
  expectAccessible,
  expectNoSidewaysScroll,
  takeScreenshot,
} from '#test/support/console-suite.ts';
import { freePort } from '#test/support/free-port.ts';
import type { Wire } from '#test/support/service.ts';

const PATCHES = '**/api/core/upload-streams/*';
const DROP = 'Drop files here, or choose them';

/** Lets so many parts of uploads pass; `isHeld` resolves when the next one is kept back. */
async function holdUploads(page: Page, passing: number): Promise<{ readonly isHeld: Promise<void> }> {
  const held = Promise.withResolvers<void>();
  let count = 0;
  await page.route(PATCHES, (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    count += 1;
    if (count <= passing) return route.continue();
    held.resolve();
    return undefined;
  });
  return { isHeld: held.promise };
}

describeConsole('Sources', (suite) => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-upload-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const ask = async (path: string, key: string = suite.service.keys.kim): Promise<Wire> => {
    const answer = await fetch(`${suite.service.url}/api/core${path}`, { headers: { authorization: `Bearer ${key}` } });
    return await answer.json();
  };

  it('are added in four steps, up to the first log', async () => {
    const page = await suite.openPage({ path: '/sources' });
    await page
      .getByRole('grid', { name: 'Loggers' })
      .getByRole('row', { name: /^shop-web Running/ })
      .waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add data' }).click();
    await expectAccessible(page);
    await takeScreenshot(page, 'sources-add');
    await page.getByRole('button', { name: /^HTTP, curl/ }).click();

    await page.getByLabel('Lines of the log').fill('{"user":"<img src=x onerror=alert(1)>","n":3}\nno json');
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByRole('definition').getByText('<img src=x onerror=alert(1)>', { exact: true }).waitFor();
    await preview.getByText('the parser does not fit').waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'sources-preview');
    expect(page.url()).not.toContain('onerror');
    await page.getByRole('button', { name: 'Continue' }).click();

    await page.getByLabel('Table', { exact: true }).fill('orders');
    await page.getByLabel('Days to keep').fill('30');
    const tail = page.waitForResponse((answer) => answer.url().endsWith('/api/core/cursors') && answer.ok());
    await page.getByRole('button', { name: 'Continue' }).click();
    await tail;
    await page.getByText('Waiting for the first log in orders…').waitFor();
    await page.getByRole('button', { name: 'Make a key' }).click();
    await page.getByText('This key is shown only now.').waitFor();
    const snippet = await page.getByRole('region', { name: 'curl' }).locator('pre').innerText();
    const key = /vgl_[\w-]+/.exec(snippet)?.[0] ?? '';
    expect(page.url()).not.toContain(key);
    await promisify(execFile)('sh', ['-c', snippet]);
    await page.getByText('The first log has arrived (1 so far).').waitFor();
    await page.getByRole('definition').getByText('hello', { exact: true }).waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'sources-first-log');
    expect(await ask('/tables', key)).toEqual({ error_code: 'illegal-state', error_msg: 'no-permission' });
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('grid', { name: 'Loggers' }).waitFor();
    expect((await ask('/tables/orders')).table.retention).toBe(30);
  });

  it('take a file over a reload in the middle, and another one is cancelled', async () => {
    const file = join(folder, 'big.ndjson');
    writeFileSync(file, `${JSON.stringify({ text: 'x'.repeat(50_000) })}\n`.repeat(180));
    const page = await suite.openPage({ path: '/sources' });
    const { isHeld } = await holdUploads(page, 1);
    await page.getByLabel(DROP).setInputFiles(file);
    const dialog = page.getByRole('dialog', { name: 'Upload files' });
    await dialog.getByLabel('Table of the upload').fill('inbox');
    await dialog.getByRole('button', { name: 'Upload 1 file into inbox' }).click();
    await page.getByText('Uploading').waitFor();
    await isHeld;
    await page.reload();
    // Before the reload it would let the held part pass.
    await page.unroute(PATCHES);

    const uploads = page.getByRole('list', { name: 'Upload files' });
    await uploads.getByText('Interrupted').waitFor();
    await uploads.getByText('4.0 MB of 9.0 MB').waitFor();
    await expectAccessible(page);
    const offsets: number[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']));
    });
    await page.getByLabel(DROP).setInputFiles(file);
    await uploads.getByText('180 records stored.').waitFor();
    expect(offsets[0]).toBe(4_000_000);
    await takeScreenshot(page, 'sources-upload');
    await uploads.getByRole('button', { name: 'Close' }).click();

    const second = await holdUploads(page, 0);
    const dropped = await page.evaluateHandle(`(() => {
      const files = new DataTransfer();
      files.items.add(new File(['a line\\n'], '<b>second.log'));
      return files;
    })()`);
    await page.getByText(DROP).dispatchEvent('drop', { dataTransfer: dropped });
    await dialog.getByLabel('Table of the upload').fill('inbox');
    await page.keyboard.press('Enter');
    await second.isHeld;
    await uploads.getByText('<b>second.log').waitFor();
    expect((await ask('/upload-streams?keywords=second')).total_count).toBe(1);
    await uploads.getByRole('button', { name: 'Cancel' }).click();
    await uploads.waitFor({ state: 'detached' });
    await expect.poll(async () => (await ask('/upload-streams?keywords=second')).total_count).toBe(0);

    const others = page.getByRole('region', { name: 'Open uploads of others' });
    await others.getByText('shop-access-2.ndjson').waitFor();
    await others.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await others.waitFor({ state: 'detached' });
    await expect.poll(async () => (await ask('/upload-streams')).total_count).toBe(0);
  });

  it('show what a dropped file becomes, and send nothing before its table is chosen', async () => {
    const { total_count: before } = await ask('/upload-streams');
    const { total_count: tables } = await ask('/tables');
    const page = await suite.openPage({ path: '/sources' });
    const drop = async (...files: readonly (readonly [name: string, text: string])[]) => {
      const dropped = await page.evaluateHandle(`(() => {
        const files = new DataTransfer();
        for (const [name, text] of ${JSON.stringify(files)}) files.items.add(new File([text], name));
        return files;
      })()`);
      await page.getByText(DROP).dispatchEvent('drop', { dataTransfer: dropped });
    };
    const dialog = page.getByRole('dialog', { name: 'Upload files' });
    await drop([
      'stranger.ndjson',
      '{"_time":"2026-11-15 12:00:00+0000","n":1}\n{"time":"2026-11-15","n":2}\nno json\n',
    ]);
    const lines = dialog.getByRole('region', { name: 'First lines of stranger.ndjson' }).getByRole('listitem');
    await lines.nth(2).getByText('the parser does not fit').waitFor();
    expect(await lines.nth(0).locator('time').innerText()).toBe('2026-11-15 12:00:00');
    await lines.nth(1).getByText('Time: that of the upload, because the line has no _time').waitFor();
    await expectAccessible(page);
    expect(await dialog.getByLabel('Table of the upload').inputValue()).toBe('');
    await dialog.getByRole('button', { name: 'Upload 1 file', exact: true }).click();
    await dialog.getByRole('alert').getByText('Enter a value.').waitFor();
    // Read as text, each line is one field.
    await dialog.getByRole('combobox', { name: 'Format' }).click();
    await page.getByRole('option', { name: 'Text lines' }).click();
    await lines.nth(2).getByRole('definition').getByText('no json', { exact: true }).waitFor();
    expect((await ask('/upload-streams')).total_count).toBe(before);
    await page.keyboard.press('Escape');
    await page
      .getByRole('dialog', { name: 'Discard what is not saved?' })
      .getByRole('button', { name: 'Discard' })
      .click();
    await dialog.waitFor({ state: 'detached' });
    expect((await ask('/upload-streams')).total_count).toBe(before);

    await drop(['a.csv', '_time,user\n1763434983123,kim\n'], ['b.csv', 'user,n\nlee,2\n']);
    await dialog.getByRole('region', { name: 'First lines of b.csv' }).getByText('lee', { exact: true }).waitFor();
    expect(await dialog.locator('time').innerText()).toBe('2025-11-18 03:03:03');
    await dialog.getByLabel('Table of the upload').fill('strangers');
    await dialog.getByLabel('Days to keep').fill('3');
    await dialog.getByRole('button', { name: 'Upload 2 files into strangers' }).click();
    const uploads = page.getByRole('list', { name: 'Upload files' });
    await expect.poll(() => uploads.getByText('1 records stored.').count()).toBe(2);
    expect((await ask('/tables')).total_count).toBe(tables + 1);
    expect((await ask('/tables/strangers')).table.retention).toBe(3);
  });

  it('are loggers whose last error is shown, and which are mended, stopped and removed by keyboard', async () => {
    const { loggers } = await ask('/loggers?keywords=bastion-syslog');
    const page = await suite.openPage({ path: '/sources?add=kind' });
    await page.getByRole('button', { name: /^Syslog/, disabled: false }).press('Enter');
    await page.getByRole('button', { name: 'Continue', disabled: false }).press('Enter');
    await page.getByLabel('Table', { exact: true }).fill('inbox');
    await page.getByLabel('Name of the logger').fill('second-syslog');
    await page.getByLabel('Port').fill(String(loggers[0].configs.port));
    await page.getByLabel('Address to listen on').fill('127.0.0.1');
    await page.keyboard.press('Enter');
    await page.getByText(/^The logger does not run: /).waitFor();
    await page
      .getByRole('region', { name: 'logger', exact: true })
      .getByText(/^logger --server 127\.0\.0\.1 /)
      .waitFor();
    await page.getByRole('button', { name: 'Cancel', disabled: false }).press('Enter');

    const panel = page.getByRole('region', { name: 'Logger', exact: true });
    const dialog = page.getByRole('dialog');
    await panel.getByText('Last error:').waitFor();
    await page.getByRole('row', { name: /^second-syslog Failing/ }).waitFor();
    await expectAccessible(page);
    await panel.getByRole('button', { name: 'Edit', disabled: false }).press('Enter');
    await expectAccessible(page);
    await dialog.getByLabel('Port').fill(String(await freePort()));
    await page.keyboard.press('Enter');
    await panel.getByText('Running').waitFor();
    await panel.getByRole('button', { name: 'Disable', disabled: false }).press('Enter');
    await panel.getByText('Stopped').waitFor();
    await panel.getByRole('button', { name: 'Delete', disabled: false }).press('Enter');
    await dialog.getByText('Remove the table inbox with all its records').waitFor();
    await dialog.getByRole('button', { name: 'Delete', disabled: false }).press('Enter');
    await page.getByText('The logger second-syslog is removed.').waitFor();
    await expect.poll(() => page.getByRole('row', { name: /^second-syslog/ }).count()).toBe(0);

    await page.getByRole('button', { name: 'New logger', disabled: false }).press('Enter');
    await dialog.getByLabel('Name', { exact: true }).fill('shop-web');
    await page.keyboard.press('Enter');
    await dialog.getByText('The name shop-web is taken.').waitFor();
    await dialog.getByLabel('Name', { exact: true }).fill('third');
    await page.keyboard.press('Enter');
    await panel.getByText('third', { exact: true }).waitFor();
    await panel.getByText('Running').waitFor();
  });

  it('are Korean at 390 pixels', async () => {
    const page = await suite.openPage({ path: '/sources', language: 'ko', width: 390, theme: 'dark' });
    await page.getByRole('row', { name: /^shop-web 실행 중/ }).waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await takeScreenshot(page, 'sources-ko-390');
    await page.getByRole('button', { name: '데이터 추가' }).click();
    await page.getByRole('button', { name: /^Filebeat/ }).click();
    await page.getByText('이 방식은 필드가 있는 기록을 보내므로').waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  it('are not changed by a member, and a link says why', async () => {
    const page = await suite.openPage({ path: '/sources', as: 'lee' });
    await page.getByRole('row', { name: /^shop-web Running/ }).click();
    await page.getByRole('region', { name: 'Logger', exact: true }).getByText('shop-access-log').waitFor();
    for (const name of ['Add data', 'Disable', 'Edit', 'Delete']) {
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    }
    await page.goto(`${suite.service.url}/sources?add=table&kind=curl&parser=json`);
    await page.getByText('It needs the role Administrator; your account has the role Member.').waitFor();
  });
});
