// Nothing that was entered is lost without a question: by Escape, by a click beside a dialog, by Back, by a link, with the tab or
// with the session.

import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { DASHBOARDS } from '#demo/objects/guids.ts';
import { describeConsole, expectAccessible } from '#test/support/console-suite.ts';
import type { Wire } from '#test/support/service.ts';

const SECURITY = `/dashboards?dashboard=${DASHBOARDS.security}`;
const questionOn = (page: Page): Locator => page.getByRole('dialog', { name: 'Discard what is not saved?' });
/** A click before the question is gone is a click on the question. */
const answerQuestion = async (page: Page, name: string): Promise<void> => {
  await questionOn(page).getByRole('button', { name }).click();
  await questionOn(page).waitFor({ state: 'detached' });
};
const keepEditing = (page: Page) => answerQuestion(page, 'Keep editing');
const discard = (page: Page) => answerQuestion(page, 'Discard');
const link = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();
const heading = (page: Page, name: string): Locator => page.getByRole('heading', { name, level: 1 });
/** At the left edge, beside every dialog. */
const clickBeside = (page: Page) => page.mouse.click(5, 450);

/** Whether loading the page again asks; the page stays as it is if so. */
async function asksBeforeReload(page: Page): Promise<boolean> {
  const asked = page.waitForEvent('dialog').then(async (dialog) => {
    await dialog.dismiss();
    return dialog.type() === 'beforeunload';
  });
  const loaded = page.waitForEvent('domcontentloaded').then(() => false);
  void page.reload().catch(() => undefined);
  return await Promise.race([asked, loaded]);
}

describeConsole('What is not saved', (suite) => {
  const ask = async (path: string): Promise<Wire> => {
    const { url, keys } = suite.service;
    const answer = await fetch(`${url}/api/core${path}`, { headers: { authorization: `Bearer ${keys.kim}` } });
    return await answer.json();
  };

  it('stays in a dialog whose list or tip Escape closes, and is asked for by the next Escape and a click beside', async () => {
    const page = await suite.openPage({ path: `${SECURITY}&edit=true` });
    await page.getByRole('button', { name: 'Add panel' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add panel' });
    const query = dialog.getByRole('textbox', { name: 'Query' });
    await query.click();
    await page.keyboard.type('table fire');
    await page.getByRole('listbox').getByText('firewall').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'hidden' });
    await expect.poll(() => query.innerText()).toBe('table fire');

    // The tip of a mistake, opened by its key, and closed from another field too.
    for (const field of [query, dialog.getByLabel('Title')]) {
      await query.click();
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText('tabel web');
      await query.locator('.cm-lintRange-error').waitFor();
      await page.keyboard.press('F8');
      await page.locator('.cm-tooltip-lint').waitFor();
      await field.focus();
      await page.locator('.cm-tooltip-lint').waitFor();
      await page.keyboard.press('Escape');
      await page.locator('.cm-tooltip-lint').waitFor({ state: 'detached' });
      expect(await questionOn(page).count()).toBe(0);
    }
    // While a syllable is composed, Escape belongs to the input method.
    await dialog
      .getByLabel('Title')
      .dispatchEvent('keydown', { key: 'Escape', isComposing: true, bubbles: true, cancelable: true });
    expect(await questionOn(page).count()).toBe(0);

    await page.keyboard.press('Escape');
    await questionOn(page).waitFor();
    await expectAccessible(page);
    await questionOn(page).getByRole('button', { name: 'Keep editing' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await questionOn(page).waitFor({ state: 'detached' });
    expect(await query.innerText()).toBe('tabel web');
    await clickBeside(page);
    await keepEditing(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await keepEditing(page);
    await clickBeside(page);
    await discard(page);
    await dialog.waitFor({ state: 'detached' });
    // Nothing was entered: nothing is asked.
    await page.getByRole('button', { name: 'Add panel' }).click();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('of a dashboard is asked for by a link, by Back, by the palette and with the tab', async () => {
    const page = await suite.openPage();
    await heading(page, 'Home').waitFor();
    await link(page, 'Dashboards');
    await page.getByRole('combobox', { name: 'Dashboard' }).click();
    await page.getByRole('option', { name: '보안 현황' }).click();
    await page.getByRole('region', { name: '공격자', exact: true }).waitFor();
    const before = (await ask(`/dashboards/${DASHBOARDS.security}`)).dashboard.layout;
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('button', { name: 'Remove 공격자' }).click();
    const isHere = () => heading(page, 'Dashboards').isVisible();
    await link(page, 'Home');
    await keepEditing(page);
    await page.goBack();
    await keepEditing(page);
    await expect.poll(() => page.url()).toContain('edit=true');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Events');
    await page.keyboard.press('Enter');
    await keepEditing(page);
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await keepEditing(page);
    expect(await asksBeforeReload(page)).toBe(true);
    expect(await isHere()).toBe(true);
    expect(await page.getByRole('region', { name: '공격자', exact: true }).count()).toBe(0);
    await link(page, 'Events');
    await discard(page);
    await heading(page, 'Events').waitFor();
    expect((await ask(`/dashboards/${DASHBOARDS.security}`)).dashboard.layout).toEqual(before);
    expect(await asksBeforeReload(page)).toBe(false);
  });

  it('of a rule is asked for, and not once it is saved; a lost connection leaves it', async () => {
    const page = await suite.openPage({ path: '/rules?of=batch&edit=true' });
    await page.getByLabel('Name', { exact: true }).fill('Unsaved rule');
    await link(page, 'Home');
    await keepEditing(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await keepEditing(page);
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Unsaved rule');
    await page.getByLabel('Message of the event').fill('$src_ip');
    await page.getByRole('textbox', { name: 'Query' }).click();
    await page.keyboard.insertText('table web | limit 1');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => page.url()).not.toContain('edit=true');
    expect(await questionOn(page).count()).toBe(0);

    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('Renamed');
    await page.context().setOffline(true);
    await page.getByText('The service does not answer').waitFor();
    await page.context().setOffline(false);
    await page.getByText('The service answers again').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Renamed');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await discard(page);
    await heading(page, 'Rules').waitFor();
  });

  it('of a form is asked for once, whether its address or its page opened it', async () => {
    const page = await suite.openPage({ path: '/administration?family=address-groups' });
    await page.getByRole('button', { name: /^New/ }).click();
    const form = page.getByRole('dialog').first();
    await form.getByLabel('Name', { exact: true }).fill('Half');
    await page.goBack();
    await keepEditing(page);
    await expect.poll(() => page.url()).toContain('dialog=new');
    expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('Half');
    await form.getByRole('button', { name: 'Close' }).click();
    await discard(page);
    await form.waitFor({ state: 'detached' });
    await expect.poll(() => page.url()).not.toContain('dialog=new');
    expect(await questionOn(page).count()).toBe(0);

    await link(page, 'Schedules');
    await heading(page, 'Schedules').waitFor();
    await page.getByRole('grid').getByRole('row').nth(1).click();
    await expect.poll(() => page.url()).toContain('schedule=');
    await page.getByRole('button', { name: 'New schedule' }).click();
    const schedule = page.getByRole('dialog', { name: 'New schedule' });
    await schedule.getByLabel('Name', { exact: true }).fill('Half');
    await page.goBack();
    await discard(page);
    await schedule.waitFor({ state: 'detached' });
  });

  it('of a list of texts is kept by Escape, and asked for then', async () => {
    const page = await suite.openPage({ path: '/administration?family=lookups&dialog=new' });
    const form = page.getByRole('dialog', { name: 'New: Lookup' });
    await form.getByPlaceholder('Type and press Enter').fill('ip_address');
    await page.keyboard.press('Escape');
    await form.getByText('ip_address', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await discard(page);
    await form.waitFor({ state: 'detached' });
  });

  it('of a comment and of a reason is asked for, and stays where the service refuses it', async () => {
    const page = await suite.openPage({ path: '/tickets?view=list' });
    await page.getByRole('grid').getByRole('row').nth(1).click();
    const comment = page.getByRole('textbox', { name: 'Comment' });
    await comment.fill('half a thought');
    await page.keyboard.press('Tab');
    await page.getByRole('tab', { name: 'History' }).click();
    await keepEditing(page);
    expect(await comment.inputValue()).toBe('half a thought');
    await link(page, 'Events');
    await discard(page);

    await page.getByRole('grid').getByRole('row').nth(1).click();
    await page.route('**/api/core/events/status', (route) => route.abort());
    await page.getByRole('button', { name: 'Closed', exact: true }).click();
    const reason = page.getByRole('dialog', { name: 'Closed' });
    await reason.getByLabel('Reason').fill('known scanner');
    await clickBeside(page);
    await keepEditing(page);
    await reason.getByRole('button', { name: 'Apply' }).click();
    await reason.getByRole('alert').waitFor();
    expect(await reason.getByLabel('Reason').inputValue()).toBe('known scanner');
    await page.unroute('**/api/core/events/status');
    await reason.getByRole('button', { name: 'Apply' }).click();
    await reason.waitFor({ state: 'detached' });
  });

  it('is still there once the reader has signed in again after the end of the session', async () => {
    const page = await suite.openPage({ path: '/dashboards' });
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
    await page.keyboard.press('n');
    const form = page.getByRole('dialog', { name: 'New dashboard' });
    await form.getByLabel('Name').fill('Typed for an hour');
    await page.evaluate("fetch('/api/core/sessions', { method: 'DELETE' })");
    // Saves, unless another request of the page was the first to be refused.
    await page.keyboard.press('Enter');
    await page.getByText('what you have entered is still there').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByLabel('API key').fill(suite.service.keys.kim);
    await page.keyboard.press('Enter');
    await page.getByLabel('API key').waitFor({ state: 'detached' });
    expect(await form.getByLabel('Name').inputValue()).toBe('Typed for an hour');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByText('No panels yet').waitFor();
  });

  it('of a query is there again after another page, and asked for with the tab', async () => {
    const page = await suite.openPage({ path: '/search?q=table%20web' });
    const query = page.getByRole('textbox', { name: 'Query' });
    await query.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText(' | stats count');
    await link(page, 'Home');
    await heading(page, 'Home').waitFor();
    expect(await questionOn(page).count()).toBe(0);
    await link(page, 'Search');
    await expect.poll(() => query.innerText()).toBe('table web | stats count');
    await page.goBack();
    await heading(page, 'Home').waitFor();
    await page.goBack();
    await expect.poll(() => query.innerText()).toBe('table web | stats count');
    expect(await asksBeforeReload(page)).toBe(true);
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('table web | stats count');
    expect(await asksBeforeReload(page)).toBe(false);
  });
});
