import { beforeAll, describe, expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { type CliContext, runCli } from '#test/support/cli.ts';
import {
  createRule,
  createSchema,
  NOWHERE,
  removeRules,
  ruleOf,
  rulesOf,
  updateRule,
  versionsOf,
} from '#test/support/rules.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { serviceFor } from '#test/support/suites.ts';
import { markedLines } from './changes.ts';

const KOREAN = { environment: { LANG: 'ko_KR.UTF-8' } };

describe('vigil rule', () => {
  const subject = serviceFor();
  let logins = '';
  let ips = '';
  let group = '';
  const vigil = (args: readonly string[], { environment, ...others }: CliContext = {}) =>
    runCli(['rule', ...args], {
      ...others,
      environment: { VIGIL_URL: subject.service.url, VIGIL_KEY: MASTER_KEY, ...environment },
    });
  const squeezed = (text: string) => text.replaceAll(/ {2,}/g, '  ').replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'GUID');

  beforeAll(async () => {
    await createSchema(subject, 'least');
    group = await created(subject, '/api/core/alarm-groups', { name: 'night shift' });
    const first = { name: 'failed logins', description: 'too many\nof them', alarm_group_guid: group };
    logins = await createRule(subject, 'batch', { ...first, mitre_techniques: 'T1110,T1078', comment: 'begun' });
    const second = { name: 'failed logins', priority: 'LOW', description: 'too few\nof them', enabled: 'true' };
    await updateRule(subject, 'batch', logins, { ...second, mitre_techniques: 'T1078' });
    ips = await createRule(subject, 'stream', { name: '나쁜 주소', priority: 'MEDIUM' });
  });

  it('lists rules of both kinds, or of one', async () => {
    const { stdout } = await vigil(['list']);
    expect(squeezed(stdout)).toBe(
      [
        'NAME  KIND  ENABLED  PRIORITY  VERSION  UPDATED  AUTHOR  GUID',
        'failed logins  batch  yes  LOW  2  2024-03-01 00:00:00+0000  master  GUID',
        '나쁜 주소  stream  no  MEDIUM  1  2024-03-01 00:00:00+0000  master  GUID',
        '',
      ].join('\n'),
    );
    expect(JSON.parse((await vigil(['list', '--kind', 'batch', '--json'])).stdout)).toEqual([
      { ...(await ruleOf(subject, 'batch', logins)), kind: 'batch' },
    ]);
    expect((await vigil(['list', '--enabled', 'false'], KOREAN)).stdout).toMatch(
      /^이름 +종류 .*\n나쁜 주소 +stream [^\n]*\n$/,
    );
    expect((await vigil(['list', '--priority', 'HIGH'])).stderr).toBe('Nothing was found.\n');
    expect(await vigil(['list', '--kind', 'odd'])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'vigil: --kind must be batch or stream, not `odd`\n',
    });
  });

  it('shows one by name or GUID, and what it refers to that has gone', async () => {
    const shown = (await vigil(['show', '나쁜 주소'])).stdout;
    expect(shown).toMatch(/^CONDITIONS +search user == "kim"$/m);
    expect(shown).toMatch(/^SCHEMA +least$/m);
    expect(shown).not.toMatch(/^ALARM GROUP/m);
    expect(JSON.parse((await vigil(['show', ips, '--json'])).stdout)).toEqual({
      ...(await ruleOf(subject, 'stream', ips)),
      kind: 'stream',
    });
    const gone = await createRule(subject, 'batch', { name: 'lonely', alarm_group_guid: group });
    expect((await vigil(['show', 'lonely'], KOREAN)).stdout).toMatch(/^알람 그룹 +night shift$/m);
    await subject.call('DELETE', '/api/core/alarm-groups', { form: { guids: group } });
    expect((await vigil(['show', 'lonely'])).stdout).toContain(`missing (${group})`);
    expect((await vigil(['show', 'lonely'], { isTerminal: true })).stdout).toContain(`\u001b[31mmissing (${group})`);
    await removeRules(subject, 'batch', gone);
    expect(await vigil(['show', NOWHERE])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `vigil: there is no rule \`${NOWHERE}\`\n`,
    });
  });

  it('asks which is meant where a name is that of a batch rule and of a stream rule', async () => {
    const twin = await createRule(subject, 'stream', { name: 'failed logins' });
    expect(await vigil(['show', 'failed logins'])).toMatchObject({
      exitCode: 2,
      stderr: 'vigil: a batch rule and a stream rule have the name `failed logins`: choose one with --kind\n',
    });
    expect((await vigil(['show', 'failed logins', '--kind', 'stream'])).stdout).toContain(twin);
    await removeRules(subject, 'stream', twin);
  });

  it('lists versions newest first, also of a rule that is removed', async () => {
    expect(squeezed((await vigil(['history', 'failed logins'])).stdout)).toBe(
      [
        'VERSION  CHANGE  NAME  AUTHOR  TIME  COMMENT',
        '  2  update  failed logins  master  2024-03-01 00:00:00+0000  -',
        '  1  create  failed logins  master  2024-03-01 00:00:00+0000  begun',
        '',
      ].join('\n'),
    );
    const part = await vigil(['history', logins, '--limit', '1'], KOREAN);
    expect(part.stderr).toContain('전체 2개 버전 중 1개');
    const removed = await createRule(subject, 'stream', { name: 'short' });
    await removeRules(subject, 'stream', removed);
    expect((await vigil(['history', 'short'])).stderr).toBe('vigil: there is no rule `short`\n');
    const { stdout } = await vigil(['history', removed, '--json']);
    expect(JSON.parse(stdout)).toEqual(await versionsOf(subject, 'stream', removed));
  });

  it('shows what differs between two versions, line by line', async () => {
    const { stdout } = await vigil(['diff', 'failed logins', '1', '2']);
    expect(stdout).toBe(
      [
        'priority',
        '  - HIGH',
        '  + LOW',
        'description',
        '  - too many',
        '  + too few',
        '    of them',
        'mitre_techniques',
        '  - T1110',
        '    T1078',
        'alarm_group_guid',
        `  - ${group}`,
        '',
      ].join('\n'),
    );
    expect((await vigil(['diff', logins, '1', '2'], { isTerminal: true })).stdout).toContain('\u001b[32m  + LOW');
    const path = `${rulesOf('batch')}/${logins}/versions/2/diff?with=1`;
    const { changes } = (await subject.call('GET', path)).json;
    expect(JSON.parse((await vigil(['diff', logins, '2', '1', '--json'])).stdout)).toEqual(changes);
    expect((await vigil(['diff', logins, '2', '2'])).stderr).toBe('Versions 2 and 2 do not differ.\n');
    expect(await vigil(['diff', logins, '1', '9'])).toMatchObject({
      exitCode: 1,
      stderr: `vigil: batch rule snapshot not found: ${logins} v9 (illegal-state)\n`,
    });
    expect((await vigil(['diff', logins, 'x', '1'])).stderr).toContain('version should be integer type');
  });

  it('refuses to restore, and says why, in the words of the service', async () => {
    const before = await ruleOf(subject, 'batch', logins);
    expect(await vigil(['restore', 'failed logins', '1'])).toEqual({
      exitCode: 1,
      stdout: 'ITEM         VALUE        REASON\nalarm_group  night shift  not-found\n',
      stderr: 'Version 1 of failed logins cannot be put in force, and nothing was changed, because of:\n',
    });
    expect(JSON.parse((await vigil(['restore', logins, '1', '--json'])).stdout)).toEqual({
      result: false,
      error_msg: 'validation-falied',
      failures: [{ id: 'alarm_group', name: 'night shift', reason: 'not-found' }],
    });
    expect(await ruleOf(subject, 'batch', logins)).toEqual(before);
    await updateRule(subject, 'stream', ips, { name: 'good' });
    const thief = await createRule(subject, 'stream', { name: '나쁜 주소' });
    const taken = await vigil(['restore', 'good', '1', '--dry-run'], KOREAN);
    expect([taken.exitCode, squeezed(taken.stdout)]).toEqual([1, '항목  값  이유\nname  나쁜 주소  duplicate\n']);
    await removeRules(subject, 'stream', thief);
  });

  it('restores, after a look at what would change', async () => {
    await created(subject, '/api/core/alarm-groups', { name: 'night shift', guid: group });
    const dry = await vigil(['restore', 'failed logins', '1', '--dry-run']);
    expect(dry.exitCode).toBe(0);
    expect(dry.stdout).toContain('priority\n  - LOW\n  + HIGH\n');
    expect(dry.stderr).toBe('Restoring version 1 would make these changes. Nothing was changed.\n');
    expect(await versionsOf(subject, 'batch', logins)).toHaveLength(2);
    expect(await vigil(['restore', 'failed logins', '1', '--comment', '되돌림'])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'Version 1 of failed logins is in force again, as version 3.\n',
    });
    expect((await versionsOf(subject, 'batch', logins))[0]).toMatchObject({ restored_from: 1, comment: '되돌림' });
    expect((await vigil(['history', logins], KOREAN)).stdout).toMatch(/^ +3 +버전 1 복원 .* 되돌림$/m);
    expect((await vigil(['restore', logins, '3', '--dry-run'])).stderr).toBe(
      'Restoring version 3 would change nothing.\n',
    );
    expect((await vigil(['restore', logins, '77'])).stderr).toContain(`snapshot not found: ${logins} v77`);
  });
});

describe('Lines of a change', () => {
  it.each([
    [['a'], ['a', 'b'], [' a', '+b']],
    [
      ['a', 'b', 'c'],
      ['a', 'x', 'c'],
      [' a', '-b', '+x', ' c'],
    ],
    [['a', 'a'], ['a'], [' a', '-a']],
    [[], ['a'], ['+a']],
    [['a'], [], ['-a']],
    [
      ['a', 'b'],
      ['b', 'a'],
      ['-a', '-b', '+b', '+a'],
    ],
  ])('%j to %j is %j', (from, to, lines) => {
    expect(markedLines(from, to).map(({ mark, text }) => mark + text)).toEqual(lines);
  });
});
