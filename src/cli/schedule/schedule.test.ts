import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliContext, runCli } from '#test/support/cli.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { createRunning, endedSlots, NOWHERE, SCHEDULES, SLOW } from '#test/support/scheduled-queries.ts';
import { MASTER_KEY, type Service, startService } from '#test/support/service.ts';

const KOREAN = { environment: { LANG: 'ko_KR.UTF-8' } };
const ZONE = 'America/New_York';

describe('vigil schedule', () => {
  let service: Service;
  const clock = new ManualClock('2024-03-08T12:00:00Z');
  beforeAll(async () => {
    service = await startService({ clock, flags: { 'time-zone': ZONE } });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const vigil = (args: readonly string[], { environment, ...others }: CliContext = {}) =>
    runCli(['schedule', ...args], {
      ...others,
      environment: { VIGIL_URL: service.url, VIGIL_KEY: MASTER_KEY, ...environment },
    });
  const create = (name: string, ...flags: string[]) => vigil(['create', name, '--query', 'json "{a:1}"', ...flags]);
  const recordOf = async (name: string) =>
    (await service.call('GET', `${SCHEDULES}?keywords=${name}`)).json.scheduled_queries[0];
  const squeezed = (text: string) => text.replaceAll(/ {2,}/g, '  ').replaceAll(/[0-9a-f-]{36}/g, 'GUID');

  it('creates scheduled queries, and says when they run', async () => {
    expect(await create('nightly', '--cron', '30 2 * * *', '--enabled', '--output-parameter')).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'The scheduled query nightly is created. Its next run is at 2024-03-09 02:30:00-0500.\n',
    });
    expect((await create('report', '--after', 'nightly', '--on', 'succeeded', '--enabled')).stderr).toBe(
      'The scheduled query report is created. It runs after nightly.\n',
    );
    const off = await create('off', '--cron', '0 * * * *', '--description', '쉬는 중', '--node-types', 'control,data');
    expect(off.stderr).toBe(
      'The scheduled query off is created, disabled. Enable it with an update, or create it with --enabled.\n',
    );
    expect(await recordOf('nightly')).toMatchObject({ enabled: true, output_parameter: true });
    expect(await recordOf('off')).toMatchObject({ description: '쉬는 중', node_types: ['control', 'data'] });
    const { stdout } = await create('never', '--cron', '0 0 30 2 *', '--enabled', '--json');
    expect(JSON.parse(stdout)).toEqual({ guid: (await recordOf('never')).guid });
  });

  it('passes on what the service refuses', async () => {
    expect(await create('nightly', '--cron', '0 * * * *')).toMatchObject({
      exitCode: 1,
      stderr: 'vigil: duplicated name: nightly (illegal-state)\n',
    });
    expect((await create('x', '--cron', 'daily')).stderr).toContain('wrong cron expression format: daily');
    expect((await create('x')).stderr).toContain('cron_schedule should be not null');
    expect((await create('x', '--after', 'nobody')).stderr).toBe('vigil: there is no scheduled query `nobody`\n');
    expect(await vigil(['create', 'x'])).toMatchObject({ exitCode: 2 });
  });

  it('lists them in aligned columns, and as the array the service gave', async () => {
    const { stdout } = await vigil(['list']);
    expect(squeezed(stdout)).toBe(
      [
        'NAME  ENABLED  SCHEDULE  STATE  RESULT  LAST RUN  NEXT RUN  GUID',
        'never  yes  0 0 30 2 *  -  -  never  -  GUID',
        'nightly  yes  30 2 * * *  -  -  never  2024-03-09 02:30:00-0500  GUID',
        'off  no  0 * * * *  -  -  never  -  GUID',
        'report  yes  after nightly (succeeded)  -  -  never  -  GUID',
        '',
      ].join('\n'),
    );
    const { scheduled_queries } = (await service.call('GET', SCHEDULES)).json;
    expect(JSON.parse((await vigil(['list', '--json'])).stdout)).toEqual(scheduled_queries);
    expect((await vigil(['list', '--keywords', 'night'], KOREAN)).stdout).toMatch(/^이름 .*\nnightly +예 [^\n]*\n$/);
    expect((await vigil(['list', '--keywords', 'nothing'])).stderr).toBe('Nothing was found.\n');
  });

  it('shows one, by name or by GUID', async () => {
    const { guid } = await recordOf('off');
    const { stdout } = await vigil(['show', 'off'], KOREAN);
    expect(stdout).toMatch(/^설명 +쉬는 중$/m);
    expect(stdout).toMatch(/^노드 종류 +control, data$/m);
    expect(stdout).toMatch(/^쿼리 +json "\{a:1\}"$/m);
    expect(stdout).not.toMatch(/쿼리의 잘못/);
    expect(JSON.parse((await vigil(['show', guid, '--json'])).stdout)).toEqual(await recordOf('off'));
    expect(await vigil(['show', NOWHERE])).toMatchObject({
      exitCode: 1,
      stderr: `vigil: there is no scheduled query \`${NOWHERE}\`\n`,
    });
  });

  it('shows when one is due next, over a change of the clocks', async () => {
    const due = ['2024-03-09 02:30:00-0500', '2024-03-10 03:00:00-0400', '2024-03-11 02:30:00-0400'];
    const options = ['next', 'nightly', '--count', '3', '--time-zone', ZONE];
    expect(await vigil(options)).toEqual({ exitCode: 0, stdout: `${due.join('\n')}\n`, stderr: '' });
    expect(JSON.parse((await vigil([...options, '--json'])).stdout)).toEqual(due);
    const byVariable = { environment: { VIGIL_TIME_ZONE: ZONE } };
    expect((await vigil(['next', 'nightly', '--count=3'], byVariable)).stdout).toBe(`${due.join('\n')}\n`);
    expect((await vigil(['next', 'nightly'])).stdout.split('\n')).toHaveLength(11);
  });

  it('shows the next times with one offset where the zone is not given, and says so', async () => {
    expect(await vigil(['next', 'nightly', '--count', '2'])).toEqual({
      exitCode: 0,
      stdout: '2024-03-09 02:30:00-0500\n2024-03-10 02:30:00-0500\n',
      stderr: 'Times have the UTC offset of the next run; with --time-zone they follow clock changes.\n',
    });
  });

  it.each([
    ['off', 'off is disabled: no run is due.'],
    ['report', 'report runs whenever nightly has succeeded.'],
    ['never', 'never is enabled, but no future time matches its schedule 0 0 30 2 *.'],
  ])('says why nothing is due for %s', async (name, remark) => {
    expect(await vigil(['next', name])).toEqual({ exitCode: 0, stdout: '', stderr: `${remark}\n` });
    expect(JSON.parse((await vigil(['next', name, '--json'])).stdout)).toEqual([]);
  });

  it.each([
    [['--count', '0'], '--count must be a whole number from 1 to 1000, not `0`'],
    [['--count', 'x'], '--count must be a whole number from 1 to 1000, not `x`'],
    [['--time-zone', 'Moon/Base'], '--time-zone must be a time zone such as Asia/Seoul, not `Moon/Base`'],
    [['--time-zone', 'Asia/Seoul'], 'in the time zone Asia/Seoul the next run would be at 2024-03-10 02:30:00+0900'],
  ])('refuses to show the next times with %j', async (flags, message) => {
    const { exitCode, stdout, stderr } = await vigil(['next', 'nightly', ...flags]);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  it('runs, and lists what became of it', async () => {
    expect(await vigil(['run', 'off', NOWHERE])).toEqual({
      exitCode: 1,
      stdout: `NAME                                  RESULT\n${NOWHERE}  scheduled-query-not-found\n`,
      stderr: 'Started: 1.\n',
    });
    const { guid } = await recordOf('off');
    const slots = await endedSlots(service, guid, 1);
    const { stdout } = await vigil(['slots', 'off']);
    expect(squeezed(stdout)).toBe(
      [
        'DUE  OUTCOME  REASON  RESULT  STARTED  ELAPSED  ROWS  QUERY ID  ERROR',
        `2024-03-08 07:00:00-0500  ran  manual  succeeded  2024-03-08 07:00:00-0500  0 ms  1  ${slots[0].query_id}  -`,
        '',
      ].join('\n'),
    );
    expect(JSON.parse((await vigil(['slots', guid, '--json'])).stdout)).toEqual(slots);
    expect((await vigil(['slots', 'off', '--outcome', 'missed'])).stderr).toBe('Nothing was found.\n');
    expect((await vigil(['slots', 'off', '--outcome', 'lost'])).stderr).toContain('outcome value must be one of');
    await vigil(['run', guid]);
    await endedSlots(service, guid, 2);
    expect((await vigil(['slots', 'off', '--limit', '1'], KOREAN)).stderr).toContain('전체 2개 중 1개');
  });

  it('stops what runs', async () => {
    await createRunning(service, { name: 'endless', query: SLOW });
    expect((await vigil(['list', '--keywords', 'endless'])).stdout).toContain('running');
    expect(await vigil(['stop', 'endless', 'off'])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'Stopped: 1. Not running: 1.\n',
    });
    const { stdout } = await vigil(['stop', 'endless', '--force', '--json']);
    expect(JSON.parse(stdout)).toEqual({ succeeded: 0, failures: [] });
  });

  it('removes what does not run, and the rest by force', async () => {
    await vigil(['run', 'endless']);
    expect((await vigil(['remove', 'endless', 'off', 'off'])).stderr).toBe(
      'Removed: 1. Not removed, because they are running: 1; --force stops them first.\n',
    );
    expect(await vigil(['remove', 'endless', 'report', '--force'], KOREAN)).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: '2개를 지웠습니다.\n',
    });
    expect((await vigil(['remove', 'endless'])).exitCode).toBe(1);
  });
});
