// Administration: accounts and their keys, what lower roles are offered, and the keyboard.

import { expect, it } from 'vitest';
import { administrator } from '#test/support/console-administration.ts';
import {
  describeConsole,
  expectAccessible,
  expectNoSidewaysScroll,
  takeScreenshot,
} from '#test/support/console-suite.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';

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
    await person.discard();
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
    await page.getByRole('grid', { name: '키', exact: true }).getByRole('row').nth(1).waitFor();
    await expectNoSidewaysScroll(page);
    await takeScreenshot(page, 'administration-ko-390');
    await page.getByRole('button', { name: '새 키' }).click();
    await page.getByLabel('이름').fill('내 키');
    await page.getByRole('button', { name: '저장' }).click();
    await page.getByText('지금 복사하십시오. 다시 표시하지 않습니다.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: '복사했습니다' }).click();
    await page.getByRole('region', { name: '키', exact: true }).last().getByText('내 키').first().waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
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
    await page.waitForURL(/keywords=by/);
    await page.getByText('1 row', { exact: true }).waitFor();
    while ((await page.evaluate('document.activeElement.getAttribute("role")')) !== 'row')
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Address group', exact: true }).waitFor();
    await expectAccessible(page);
    await administrator(page).go('Users');
    await page.getByRole('row', { name: /master/ }).click();
    const panel = page.getByRole('region', { name: 'User', exact: true });
    await panel.waitFor();
    expect(await panel.getByRole('button').count()).toBe(1);
    await page.goto(`${page.url()}&dialog=change`);
    await panel.getByText('Your account may not change this one.').waitFor();
  });
});
