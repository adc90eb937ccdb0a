import { beforeAll, describe, expect, it } from 'vitest';
import { createAccount, createKey } from '#test/support/accounts.ts';
import { runCli } from '#test/support/cli.ts';
import { push } from '#test/support/logs.ts';
import { MASTER_KEY, type Wire } from '#test/support/service.ts';
import { createStream, createStreamRule, eventsOf } from '#test/support/stream-rules.ts';
import { serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

const MISSING = '00000000-0000-4000-8000-000000000001';

describe('vigil event', () => {
  const subject = serviceFor();
  let events: Wire[] = [];
  let rule = '';
  let seoulKey = '';
  const vigil = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    runCli(['event', ...args], {
      environment: { VIGIL_URL: subject.service.url, VIGIL_KEY: MASTER_KEY, ...environment },
    });
  const guidOf = (index: number): string => events[index].guid;
  const statuses = async () => (await eventsOf(subject, rule)).map(({ status }) => status);

  beforeAll(async () => {
    const { schema, logger } = await createStream(subject);
    const fields = { name: 'odd\u001b[2J', msg: '로그인 $n' };
    rule = await createStreamRule(subject, { schema, where: ['search n > 0'], fields });
    await push(subject, logger, { body: [1, 2, 3].map((n) => JSON.stringify({ n })).join('\n') });
    events = await until(
      () => eventsOf(subject, rule),
      (found) => found.length === 3,
    );
    const { guid } = await createAccount(subject, 'ADMIN', { login: 'kim', time_zone: 'Asia/Seoul' });
    seoulKey = (await createKey(subject, guid)).key;
  });

  it('lists events newest first, in the zone and language of the reader', async () => {
    const { exitCode, stdout, stderr } = await vigil(['list', '--limit', '2', '--rules', rule], {
      VIGIL_KEY: seoulKey,
    });
    expect([exitCode, stderr]).toEqual([0, '2 of 3 entries; --limit and --offset show the others.\n']);
    expect(stdout.replaceAll(/ {2,}/g, '  ').split('\n')).toEqual([
      'LAST MATCH  PRIORITY  STATUS  RULE  MATCHES  MESSAGE  GUID',
      ...[2, 1].map((at) => `2024-03-01 09:00:00+0900  HIGH  New  odd·[2J  1  로그인 ${at + 1}  ${guidOf(at)}`),
      '',
    ]);
    const korean = await vigil(['list', '--keywords', '로그인 3'], { LANG: 'ko_KR.UTF-8' });
    expect(korean.stdout.replaceAll(/ {2,}/g, '  ').split('\n')).toEqual([
      '마지막 탐지  우선순위  상태  룰  탐지 수  내용  GUID',
      `2024-03-01 00:00:00+0000  HIGH  신규  odd·[2J  1  로그인 3  ${guidOf(2)}`,
      '',
    ]);
    const json = await vigil(['list', '--json', '--priority', 'HIGH,LOW', '--kind', 'stream'], { VIGIL_KEY: seoulKey });
    expect(JSON.parse(json.stdout)).toEqual(events.toReversed());
  });

  it('closes many at once, with a reason, and gives any other status', async () => {
    const closed = await vigil(['close', guidOf(0), guidOf(1), '--reason', '시험 계정']);
    expect(closed).toEqual({ exitCode: 0, stdout: '', stderr: 'Events with the status Closed now: 2\n' });
    const judged = await vigil(['close', guidOf(1), '--status', 'false-positive'], { LANG: 'ko' });
    expect(judged.stderr).toBe('오탐 상태로 바꾼 이벤트: 1건\n');
    await vigil(['close', guidOf(2), '--status', 'seen']);
    expect(await statuses()).toEqual(['closed', 'false-positive', 'seen']);
    const [first] = await eventsOf(subject, rule);
    expect(first).toMatchObject({ status_reason: '시험 계정', status_user: 'master' });
    const found = await vigil(['list', '--status', 'closed,seen', '--json']);
    expect(JSON.parse(found.stdout).map(({ guid }: Wire) => guid)).toEqual([guidOf(2), guidOf(0)]);
  });

  it('names those that are missing, and fails then', async () => {
    const partly = await vigil(['close', MISSING, guidOf(0), '--status', 'new']);
    expect([partly.exitCode, partly.stderr]).toEqual([1, 'Events with the status New now: 1\n']);
    expect(partly.stdout).toMatch(new RegExp(`^GUID +RESULT\n${MISSING} +event-not-found\n$`));
    const json = await vigil(['close', MISSING, '--json']);
    expect(JSON.parse(json.stdout)).toEqual({ succeeded: 0, failures: [{ id: MISSING, reason: 'event-not-found' }] });
    const wrong = await vigil(['close', MISSING, '--status', 'open']);
    expect([wrong.exitCode, wrong.stderr]).toEqual([
      2,
      'vigil: --status must be one of new, seen, closed, false-positive, not `open`\n',
    ]);
  });

  it('gives each event its status, however many requests that takes', async () => {
    const many = [...Array.from({ length: 1001 }, () => MISSING), guidOf(0)];
    const { exitCode, stderr } = await vigil(['close', ...many]);
    expect([exitCode, stderr]).toEqual([1, 'Events with the status Closed now: 1\n']);
    expect((await statuses())[0]).toBe('closed');
  });
});
