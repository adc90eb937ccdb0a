// Administration: objects that rules, queries and sources refer to, each made, changed, refused and removed.

import { expect, it } from 'vitest';
import { administrator } from '#test/support/console-administration.ts';
import { describeConsole, expectAccessible, takeScreenshot } from '#test/support/console-suite.ts';
import { ENDLESS_JSON, hold } from '#test/support/queries.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';

describeConsole('Objects in Administration', (suite) => {
  const { openPage } = suite;

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
    // Nothing carries an alarm to a user.
    await page.getByText('Alarms of this group reach nobody').waitFor();
    const outcome = page.getByRole('status').filter({ hasText: '이영희' });
    await outcome.getByText('The test alarm has reached nobody.').waitFor();
    await outcome.getByText('이영희: not delivered (alarms do not reach users yet)').waitFor();
    await expectAccessible(page);
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

  it('loads and changes rows of lookups, stores parsers, cancels a query and reads nodes and settings', async () => {
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
    await takeScreenshot(page, 'administration-lookup');
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
    await person.fill({ Pattern: 'user=(?<user>\\S+)', 'Lines of the log': `user=${HOSTILE}\nno login` });
    const preview = person.dialog.getByRole('region', { name: 'Preview' });
    await preview.getByText('<img', { exact: true }).waitFor();
    await preview.getByText('the parser does not fit').waitFor();
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

    await person.go('Nodes');
    const node = page.getByRole('row', { name: /This node/ });
    await expect.poll(() => node.innerText()).toMatch(/Serves/);
    await node.click();
    const panel = page.getByRole('region', { name: 'Node', exact: true });
    await panel.getByText(/^MCowBQYDK2VwAyEA/).waitFor();
    await expectAccessible(page);

    await person.go('Settings');
    await page.getByLabel('Find').fill('listen on');
    await page.waitForURL(/keywords=listen/);
    await page.getByRole('row', { name: /^port/ }).click();
    expect(await page.getByRole('button', { name: /^New/ }).count()).toBe(0);
    await expect.poll(() => new URL(page.url()).search).toBe('?family=settings&keywords=listen+on&record=port');
  });

  it('makes, changes and removes what queries and sources refer to', async () => {
    const page = await openPage({ as: 'master', path: '/administration?family=audit-categories' });
    const person = administrator(page);
    const query = async (text: string) => {
      await person.dialog.getByRole('textbox', { name: 'Query' }).click();
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText(text);
    };
    const nameOfRow = (name: string) => person.dialog.getByLabel('Name', { exact: true }).last().fill(name);
    const add = (label: string) => person.dialog.getByRole('button', { name: label }).click();
    await person.begin('Audit category');
    await person.fill({ Name: HOSTILE });
    await person.saveAs(HOSTILE);
    await person.remove('Audit category');

    await person.go('Datasets');
    await person.begin('Dataset');
    await person.fill({ Name: 'Slow pages' });
    await query('table web | serch status >= 500');
    await person.saveRefused(/serch/);
    await query('table web | search status >= 500');
    await person.saveAs('Slow pages');
    await page.getByRole('link', { name: 'Open in Search' }).waitFor();
    await person.change();
    await person.fill({ Description: 'of the shop' });
    await person.saveAs('of the shop');
    await expectAccessible(page);
    await person.remove('Dataset');

    await person.go('Procedures');
    await person.begin('Procedure');
    await person.fill({ Name: 'errors_from' });
    await query('table web | search status >= $("least")');
    await add('Add parameter');
    await person.fill({ Key: 'least' });
    await person.choose('Type', 'Whole number');
    await person.saveAs('errors_from');
    await page.getByText('least · Whole number').waitFor();
    await person.remove('Procedure');

    await person.go('Table groups');
    await person.begin('Table group');
    await person.fill({ Name: 'a b' });
    await person.saveRefused(/name/);
    await person.fill({ Name: 'Shop' });
    await person.saveAs('Shop');
    await person.begin('Table group');
    await person.fill({ Name: 'Branch' });
    await person.choose('Inside of', 'Shop');
    await person.saveAs('Branch');
    await person.remove('Table group');

    await person.go('Log schemas');
    await person.begin('Log schema');
    await person.fill({ Code: 'door', Name: 'Doors', 'Name in Korean': '출입문' });
    await add('Add field');
    await nameOfRow('badge');
    await person.choose('Type', 'LONG');
    await person.saveAs('Doors');
    await page.getByText('badge · LONG').waitFor();

    await person.go('Logger models');
    await person.begin('Logger model');
    await person.fill({ Name: 'Doors of the house' });
    await person.choose('Parser', 'Syslog');
    await add('Add rule');
    await nameOfRow('any');
    await person.choose('Log schema', 'Doors');
    await expectAccessible(page);
    await person.saveAs('Doors of the house');
    await page.getByText('any → Doors').waitFor();
    await person.remove('Logger model');
    await person.go('Log schemas');
    await page.getByRole('row', { name: /Doors/ }).click();
    await person.remove('Log schema');

    await person.go('Logger groups');
    await person.begin('Logger group');
    await person.fill({ Name: 'Second floor' });
    await person.saveAs('Second floor');
    await person.remove('Logger group');
  });
});
