// Administration: every family made, changed, refused and removed in the browser, and what lower roles are offered.

import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import {
  describeConsole,
  expectAccessible,
  expectNoSidewaysScroll,
  takeScreenshot,
} from '#test/support/console-suite.ts';
import { ENDLESS_JSON, hold } from '#test/support/queries.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';

/** What a person does in any family. */
function administrator(page: Page) {
  const dialog = page.getByRole('dialog').last();
  const save = () => dialog.getByRole('button', { name: 'Save' }).click();
  const headline = (name: string) => page.getByText(name, { exact: true }).last();
  return {
    dialog,
    save,
    go: async (family: string) => {
      await page.getByRole('link', { name: family, exact: true }).click();
      await page.getByRole('region', { name: family, exact: true }).first().waitFor();
    },
    begin: (one: string, within: Page | Locator = page) => within.getByRole('button', { name: `New: ${one}` }).click(),
    fill: async (values: Readonly<Record<string, string>>) => {
      for (const [label, value] of Object.entries(values)) await dialog.getByLabel(label, { exact: true }).fill(value);
    },
    choose: async (label: string, option: string) => {
      await dialog.getByRole('combobox', { name: label, exact: true }).last().click();
      await page.getByRole('option', { name: option }).click();
    },
    /** The form stays open with the message. */
    saveRefused: async (message: string | RegExp) => {
      await save();
      await dialog.getByRole('alert').filter({ hasText: message }).waitFor();
    },
    saveAs: async (name: string) => {
      await save();
      await dialog.waitFor({ state: 'detached' });
      await headline(name).waitFor();
    },
    change: () => page.getByRole('button', { name: 'Change', exact: true }).click(),
    cancel: () => dialog.getByRole('button', { name: 'Cancel', exact: true }).click(),
    /** The open record. */
    remove: async (one: string) => {
      await page
        .getByRole('region', { name: one, exact: true })
        .getByRole('button', { name: 'Delete', exact: true })
        .first()
        .click();
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('region', { name: one, exact: true }).waitFor({ state: 'detached' });
    },
  };
}

describeConsole('Administration', (suite) => {
  const { openPage } = suite;

  it('makes, changes and removes accounts, and a key of scope push that is refused elsewhere', async () => {
    const page = await openPage({ as: 'master', path: '/administration?family=companies' });
    const person = administrator(page);
    await person.begin('Company');
    await person.saveRefused('Enter a value.');
    await person.fill({ Name: HOSTILE });
    await person.saveAs(HOSTILE);
    await expectAccessible(page);
    await person.begin('Company');
    await person.fill({ Name: HOSTILE });
    await person.saveRefused(`The name ${HOSTILE} is taken.`);
    await person.cancel();
    await person.remove('Company');
    await page.getByRole('row', { name: /default/ }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await person.dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await person.dialog.getByText('The company still has users.').waitFor();
    await person.cancel();

    await person.go('User groups');
    await person.begin('User group');
    await person.fill({ Name: 'Night shift' });
    await person.dialog.getByLabel('이영희 (lee)').check();
    await person.saveAs('Night shift');
    await page.getByRole('link', { name: '이영희 (lee)' }).waitFor();
    await person.remove('User group');

    await person.go('Users');
    await person.begin('User');
    await person.fill({ Login: 'choi', Name: 'Choi', 'Time zone': 'Nowhere/Land', 'Trusted addresses': '127.0.0.0/8' });
    await person.saveRefused('wrong time zone: Nowhere/Land');
    await person.fill({ 'Time zone': 'Asia/Seoul' });
    await person.choose('Role', 'Administrator');
    await person.saveAs('Choi');
    await page.getByRole('region', { name: 'User', exact: true }).getByText('Asia/Seoul').waitFor();
    await person.change();
    await person.fill({ Department: 'Security' });
    await person.saveAs('Security');
    await expectAccessible(page);
    await takeScreenshot(page, 'administration');

    await person.begin('Key', page.getByRole('region', { name: 'Keys', exact: true }));
    await person.fill({ Name: 'collector' });
    await person.choose('May do', 'Send logs only');
    await person.save();
    const secret = await person.dialog.getByText(/^vgl_/).innerText();
    await person.dialog.getByRole('button', { name: 'Copy' }).click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(secret);
    await person.dialog.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('gridcell', { name: 'Push' }).waitFor();
    expect(await page.getByText(secret).count()).toBe(0);
    const answer = await fetch(`${suite.service.url}/api/core/tables`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    expect(await answer.json()).toMatchObject({ error_msg: 'no-permission' });
    const stranger = await openPage({ as: null, path: '/administration' });
    await stranger.getByLabel('API key').fill(secret);
    await stranger.getByRole('button', { name: 'Sign in' }).click();
    await stranger.getByText('This key is not valid here').waitFor();

    await page.getByRole('button', { name: 'Reset keys' }).click();
    await person.dialog.getByRole('button', { name: 'Revoke' }).click();
    await person.dialog.getByText(/^vgl_/).waitFor();
    await person.dialog.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('button', { name: 'Lock' }).click();
    await person.dialog.getByRole('button', { name: 'Lock' }).click();
    await page.getByRole('region', { name: 'Keys', exact: true }).getByText('Nothing here yet').waitFor();
    await person.remove('User');
  });

  it('makes, tests and removes groups and profiles', async () => {
    const page = await openPage({ as: 'master', path: '/administration?family=address-groups' });
    const person = administrator(page);
    await page.getByRole('row', { name: /차단 목록/ }).click();
    await page
      .getByRole('region', { name: 'Address group', exact: true })
      .getByRole('button', { name: 'Delete' })
      .click();
    await person.dialog
      .getByText(/rule: /)
      .first()
      .waitFor();
    await person.cancel();
    await person.begin('Address group');
    await person.fill({ Name: 'Guests' });
    await person.saveAs('Guests');
    await person.begin('Address', page.getByRole('region', { name: 'Addresses', exact: true }));
    await person.fill({ 'Address or network': '10.0.0' });
    await person.saveRefused('wrong address or network: 10.0.0');
    await person.fill({ 'Address or network': '10.9.0.0/16', 'Leaves after (minutes)': '5' });
    await person.save();
    await page.getByRole('row', { name: '10.9.0.0/16' }).click();
    await page.getByRole('region', { name: 'Addresses', exact: true }).getByRole('button', { name: 'Delete' }).click();
    await person.dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('region', { name: 'Addresses', exact: true }).getByText('Nothing here yet').waitFor();
    await person.remove('Address group');

    await person.go('Alarm groups');
    await person.begin('Alarm group');
    await person.fill({ Name: 'On call' });
    await person.dialog.getByRole('button', { name: 'Add member' }).click();
    await person.fill({ URL: 'http://127.0.0.1/', Secret: 'never shown' });
    await person.saveRefused('wrong url: http://127.0.0.1');
    await person.choose('Kind', 'User');
    await person.choose('User', '이영희 (lee)');
    await expectAccessible(page);
    await person.saveAs('On call');
    await page.getByRole('button', { name: 'Send a test alarm' }).click();
    await page.getByText('이영희: delivered').waitFor();
    await person.remove('Alarm group');

    await person.go('Crypto profiles');
    await person.begin('Crypto profile');
    await person.fill({ Name: 'archive', Key: 'c2hvcnQ=' });
    await person.saveRefused("'key' should be 32 bytes in base64.");
    await person.fill({ Key: '' });
    await person.saveAs('archive');
    await person.change();
    await person.fill({ Description: 'for the archive' });
    await person.saveAs('for the archive');
    await person.remove('Crypto profile');

    await person.go('Connection profiles');
    await person.begin('Connection profile');
    await person.fill({ Name: 'inventory', Host: 'db.example.com', Database: 'assets', 'Database user': 'reader' });
    await person.saveRefused('wrong host: db.example.com');
    await person.fill({ Host: '127.0.0.1', Port: '9', Password: 'never shown' });
    await person.dialog.getByRole('button', { name: 'Add' }).first().click();
    await person.choose('Who', '이영희 (lee)');
    await person.saveAs('inventory');
    await page.getByText('이영희 · Read only').waitFor();
    await page.getByRole('button', { name: 'Test the connection' }).click();
    await page.getByText('The other side cannot be reached.').waitFor();
    await person.change();
    expect(await person.dialog.getByLabel('Password').inputValue()).toBe('');
    await person.cancel();
    await person.remove('Connection profile');
  });

  it('loads and changes rows of lookups, stores parsers, cancels a query and reads settings', async () => {
    const page = await openPage({ as: 'master', path: '/administration?family=lookups' });
    const person = administrator(page);
    await person.begin('Lookup');
    await person.fill({ Name: 'owners', Columns: 'host,owner', Key: 'name' });
    await person.saveRefused("key value must be one of 'host', 'owner'.");
    await person.fill({ Key: 'host' });
    await person.saveAs('owners');
    await page.getByRole('button', { name: 'Show rows' }).click();
    await person.dialog.getByRole('button', { name: 'New row' }).click();
    await person.fill({ host: 'web-1', owner: 'kim' });
    await person.save();
    await page.getByRole('gridcell', { name: 'web-1' }).waitFor();
    await person.dialog.getByRole('button', { name: 'Upload rows' }).click();
    const csv = (text: string) => ({ name: 'owners.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    const load = person.dialog.getByRole('button', { name: 'Upload rows' });
    await person.dialog.getByLabel('File').setInputFiles(csv('host,phone\ndb-1,1\n'));
    await load.click();
    await person.dialog.getByText('wrong lookup row').waitFor();
    await person.dialog.getByLabel('File').setInputFiles(csv(`host,owner\ndb-1,"${HOSTILE}"\n`));
    await load.click();
    await page.getByRole('gridcell', { name: HOSTILE }).waitFor();
    await expectAccessible(page);
    await page.getByRole('row', { name: /web-1/ }).click();
    await person.fill({ owner: 'lee' });
    await person.save();
    await page.getByRole('gridcell', { name: 'lee', exact: true }).click();
    await person.dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await person.dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog', { name: 'Row web-1' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('gridcell', { name: 'web-1' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await person.remove('Lookup');

    await person.go('Parsers');
    await page
      .getByRole('row', { name: /syslog/ })
      .first()
      .click();
    await page.getByRole('region', { name: 'Parser', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Change', exact: true }).count()).toBe(0);
    await person.begin('Parser');
    await person.fill({ Code: 'login', Name: 'Logins', Pattern: 'user=(?<user>' });
    await person.saveRefused('should be a regular expression with named groups');
    await person.fill({ Pattern: 'user=(?<user>\\S+)' });
    await person.saveAs('Logins');
    await person.change();
    await person.choose('Kind', 'CSV');
    await person.fill({ 'Columns, in their order': 'user,ip' });
    await person.save();
    await page.getByRole('region', { name: 'Parser', exact: true }).getByText('user,ip').waitFor();
    await person.remove('Parser');

    // Its rows are not read, so that it runs until it is cancelled.
    using held = await hold(suite.service.url, ENDLESS_JSON, suite.service.keys.kim);
    await person.go('Queries');
    await page.getByRole('gridcell', { name: /repeat count/ }).click();
    await page.getByRole('button', { name: 'Cancel query' }).click();
    await person.dialog.getByRole('button', { name: 'Cancel query' }).click();
    await page.getByText(`Query ${held.id} is cancelled.`).waitFor();
    await page.getByText('No query runs').waitFor();

    await person.go('Settings');
    await page.getByLabel('Find').fill('listen on');
    await page.waitForURL(/keywords=listen/);
    await page.getByRole('row', { name: /^port/ }).click();
    expect(await page.getByRole('button', { name: /^New/ }).count()).toBe(0);
    await expect.poll(() => new URL(page.url()).search).toBe('?family=settings&keywords=listen+on&record=port');
  });

  it('offers a member what it may do, and says why not when a link leads further', async () => {
    const page = await openPage({ as: 'lee', path: '/administration?family=companies', language: 'ko', width: 390 });
    await page.getByText('필요한 역할은 마스터이고, 이 계정의 역할은 사용자입니다.').waitFor();
    const sections = page.getByRole('navigation', { name: '관리 항목' });
    await sections.getByRole('link', { name: '사용자 그룹' }).waitFor();
    for (const name of ['회사', '암호화 프로파일', '설정']) {
      expect(await sections.getByRole('link', { name, exact: true }).count()).toBe(0);
    }
    await page.goto(`${suite.service.url}/administration?family=groups&dialog=new`);
    await page.getByText('필요한 역할은 관리자이고, 이 계정의 역할은 사용자입니다.').waitFor();
    expect(await page.getByRole('button', { name: /^새 / }).count()).toBe(0);
    await sections.getByRole('link', { name: '키', exact: true }).click();
    await page.getByRole('button', { name: '새 키' }).click();
    await page.getByLabel('이름').fill('내 키');
    await page.getByRole('button', { name: '저장' }).click();
    await page.getByText('지금 복사하십시오. 다시 표시하지 않습니다.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: '복사했습니다' }).click();
    await page.getByRole('region', { name: '키', exact: true }).last().getByText('내 키').first().waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await takeScreenshot(page, 'administration-ko-390');
  });

  it('is used by keys alone, and keeps accounts of a master from an administrator', async () => {
    const page = await openPage({ as: 'kim', path: '/administration?family=address-groups', theme: 'dark' });
    await page.getByRole('grid', { name: 'Address groups' }).getByRole('row').nth(1).waitFor();
    await page.keyboard.press('n');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('By keys');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Address group', exact: true }).getByText('By keys').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'Address group', exact: true }).waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await page.keyboard.type('by keys');
    await page.getByText('1 rows').waitFor();
    while ((await page.evaluate('document.activeElement.getAttribute("role")')) !== 'row')
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Address group', exact: true }).waitFor();
    await expectAccessible(page);
    await page.goto(`${suite.service.url}/administration?family=users`);
    await page.getByRole('row', { name: /master/ }).click();
    const panel = page.getByRole('region', { name: 'User', exact: true });
    await panel.waitFor();
    expect(await panel.getByRole('button').count()).toBe(1);
    await page.goto(`${page.url()}&dialog=change`);
    await panel.getByText('Your account may not change this one.').waitFor();
  });
});
