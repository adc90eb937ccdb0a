import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliContext, runCli } from '#test/support/cli.ts';
import { MASTER_KEY, type Service, startService } from '#test/support/service.ts';

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('vigil user', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const vigil = (args: readonly string[], { environment, ...others }: CliContext = {}) =>
    runCli(args, { ...others, environment: { VIGIL_URL: service.url, VIGIL_KEY: MASTER_KEY, ...environment } });

  async function makeUser(login: string, ...flags: string[]): Promise<string> {
    const { stdout } = await vigil(['user', 'create', login, '--name', login, '--role', 'MEMBER', ...flags]);
    return stdout.trim();
  }

  it('creates an account and prints its GUID alone', async () => {
    const made = await vigil(['user', 'create', 'anna', '--name', '안나', '--role', 'ADMIN', '--dept', '보안']);
    expect(made.exitCode).toBe(0);
    expect(made.stdout.trim()).toMatch(GUID);
    expect(made.stderr).toBe('The account anna is created. Create its key with: vigil key create anna --name NAME\n');
    const shown = JSON.parse((await vigil(['user', 'show', 'anna', '--json'])).stdout);
    expect(shown).toMatchObject({
      guid: made.stdout.trim(),
      login: 'anna',
      name: '안나',
      dept: '보안',
      role_name: 'ADMIN',
    });
  });

  it('gives the answer of the service as JSON on demand', async () => {
    const made = await vigil(['user', 'create', 'json', '--name', 'J', '--role', 'MEMBER', '--json']);
    expect(JSON.parse(made.stdout)).toEqual({ guid: expect.stringMatching(GUID) });
  });

  it('lists accounts in aligned columns, and as the array the service gave', async () => {
    const guid = await makeUser('listed');
    const { exitCode, stdout, stderr } = await vigil(['user', 'list', '--keywords', 'listed']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toBe(
      `LOGIN   NAME    ROLE    COMPANY  HAS KEY  GUID\nlisted  listed  MEMBER  default  no       ${guid}\n`,
    );
    const { users } = (await service.call('GET', '/api/core/users?keywords=listed')).json;
    expect(JSON.parse((await vigil(['user', 'list', '--keywords=listed', '--json'])).stdout)).toEqual(users);
  });

  it('says on standard error that a list is empty, and prints [] as JSON', async () => {
    const nothing = ['user', 'list', '--keywords', 'nobody-at-all'];
    expect(await vigil(nothing)).toEqual({ exitCode: 0, stdout: '', stderr: 'Nothing was found.\n' });
    expect(await vigil([...nothing, '--json'])).toEqual({ exitCode: 0, stdout: '[]\n', stderr: '' });
  });

  it('sets titles off on a terminal only, and not where NO_COLOR is set', async () => {
    const list = ['user', 'list', '--keywords', 'master'];
    expect((await vigil(list, { isTerminal: true })).stdout.startsWith('\x1b[1mLOGIN')).toBe(true);
    expect((await vigil(list)).stdout).toMatch(/^LOGIN/);
    expect((await vigil(list, { isTerminal: true, environment: { NO_COLOR: '1' } })).stdout).toMatch(/^LOGIN/);
  });

  it('shows one account by login or GUID, in the language of the terminal', async () => {
    const guid = await makeUser('shown');
    const { stdout } = await vigil(['user', 'show', guid], { environment: { LANG: 'ko_KR.UTF-8' } });
    expect(stdout).toContain('로그인         shown\n');
    expect(stdout).toContain('허용 주소      제한 없음\n');
    expect((await vigil(['user', 'show', 'shown'])).stdout).toContain(`GUID           ${guid}\n`);
  });

  it('shows times in the zone of the account of the key, and gives JSON as the service wrote it', async () => {
    const guid = await makeUser('seoul', '--time-zone', 'Asia/Seoul');
    const { api_key } = (await service.call('POST', `/api/core/users/${guid}/api-keys`, { form: { name: 'k' } })).json;
    const environment = { VIGIL_KEY: api_key, NO_COLOR: '1' };
    const written = JSON.parse((await vigil(['user', 'show', 'seoul', '--json'], { environment })).stdout);
    expect(written).toMatchObject({ time_zone: 'Asia/Seoul', created: expect.stringMatching(/\+0000$/) });
    const local = Temporal.Instant.from(`${written.created.slice(0, 19).replace(' ', 'T')}Z`);
    const clock = local.toZonedDateTimeISO('Asia/Seoul').toPlainDateTime().toString({ smallestUnit: 'second' });
    const shown = await vigil(['user', 'show', 'seoul'], { environment });
    expect(shown.stdout).toMatch(/^TIME ZONE +Asia\/Seoul$/m);
    expect(shown.stdout).toMatch(new RegExp(`^CREATED +${clock.replace('T', ' ')}\\+0900$`, 'm'));
    const text =
      'json "[{}]" | eval at = date("2026-11-15 01:00:00", "yyyy-MM-dd HH:mm:ss"), s = "2026-11-15 01:00:00.000+0000"';
    const table = await vigil(['query', text], { environment, isTerminal: true });
    expect(table.stdout.split('\n')[1]).toBe('2026-11-15 10:00:00.000+0900  2026-11-15 01:00:00.000+0000');
    expect((await vigil(['query', text], { environment })).stdout).toContain('"at":"2026-11-15 01:00:00.000+0000"');
    expect((await vigil(['user', 'update', 'seoul', '--time-zone', 'Mars'])).stderr).toBe(
      'vigil: wrong time zone: Mars (invalid-argument)\n',
    );
    await vigil(['user', 'update', 'seoul', '--time-zone', 'America/New_York']);
    expect((await vigil(['key', 'list'], { environment })).stdout).toMatch(/-0[45]00 /);
  });

  it('finds an account by its whole login only', async () => {
    await makeUser('whole-login');
    expect(await vigil(['user', 'show', 'whole'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'vigil: there is no account `whole` that this key may see\n',
    });
  });

  it('does not let a name steer the terminal', async () => {
    await vigil(['user', 'create', 'evil', '--name', 'a\x1b[2Jb', '--role', 'MEMBER']);
    expect((await vigil(['user', 'list', '--keywords', 'evil'])).stdout).toContain('a·[2Jb');
  });

  it('changes what is given and nothing else, also back to nothing', async () => {
    await makeUser('changing', '--title', 'CEO', '--trust-hosts', '10.0.0.0/8, 192.168.0.1');
    const changed = await vigil(['user', 'update', 'changing', '--email', 'a@b.c', '--trust-hosts', '']);
    expect(changed).toEqual({ exitCode: 0, stdout: '', stderr: 'The account changing is changed.\n' });
    const { stdout } = await vigil(['user', 'show', 'changing', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ title: 'CEO', email: 'a@b.c', trust_hosts: [], role_name: 'MEMBER' });
  });

  it('refuses a change of nothing', async () => {
    expect(await vigil(['user', 'update', 'master'])).toMatchObject({ exitCode: 2, stdout: '' });
  });

  it('answers a refusal of the service in its own words, whatever the language', async () => {
    await makeUser('twice');
    const refused = { exitCode: 1, stdout: '', stderr: 'vigil: duplicated login: twice (illegal-state)\n' };
    const again = ['user', 'create', 'twice', '--name', 'x', '--role', 'MEMBER'];
    expect(await vigil(again)).toEqual(refused);
    expect(await vigil(again, { environment: { LANG: 'ko_KR.UTF-8' } })).toEqual(refused);
    const stranger = await vigil(['user', 'list'], { environment: { VIGIL_KEY: 'vgl_wrong' } });
    expect(stranger).toEqual({ exitCode: 1, stdout: '', stderr: 'vigil: invalid api key (unauthorized)\n' });
  });

  it('tells what a removal would do, and does it', async () => {
    const guid = await makeUser('leaving');
    const remove = ['user', 'remove', 'leaving'];
    expect((await vigil([...remove, '--dry-run'])).stdout).toBe(
      `ACCOUNT  GUID                                  RESULT\nleaving  ${guid}  would be removed\n`,
    );
    expect((await vigil(['user', 'show', 'leaving'])).exitCode).toBe(0);
    const removed = await vigil([...remove, '--json']);
    expect({ ...removed, stdout: JSON.parse(removed.stdout) }).toEqual({
      exitCode: 0,
      stdout: { failures: [], references: [] },
      stderr: '',
    });
    expect((await vigil(['user', 'show', 'leaving'])).exitCode).toBe(1);
  });

  it('says why an account stays, and fails then', async () => {
    await makeUser('going');
    const { exitCode, stdout } = await vigil(['user', 'remove', 'going', 'master']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^going +\S+ +removed$/m);
    expect(stdout).toMatch(/^master +\S+ +last-master$/m);
  });

  it('removes nobody when one login is mistyped', async () => {
    await makeUser('safe');
    expect(await vigil(['user', 'remove', 'safe', 'saef'])).toMatchObject({ exitCode: 1, stdout: '' });
    expect((await vigil(['user', 'show', 'safe'])).exitCode).toBe(0);
  });
});
