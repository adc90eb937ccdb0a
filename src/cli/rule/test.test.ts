import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CliContext, runCli } from '#test/support/cli.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { createStream, createStreamRule, eventsOf } from '#test/support/stream-rules.ts';
import { serviceFor } from '#test/support/suites.ts';

const RECORDS = [
  '{"outcome":"failed","user":"root"}',
  '',
  '{"outcome":"failed","user":"kim"}',
  '{"outcome":"ok","id":9007199254740993}',
  '{"_time":"never"}',
].join('\n');

describe('vigil rule test', () => {
  const subject = serviceFor();
  let logins = '';
  let schema = '';
  const vigil = (args: readonly string[], { environment, ...others }: CliContext = {}) =>
    runCli(['rule', 'test', ...args], {
      ...others,
      environment: { VIGIL_URL: subject.service.url, VIGIL_KEY: MASTER_KEY, ...environment },
    });
  const squeezed = (text: string) => text.replaceAll(/ {2,}/g, '  ');

  beforeAll(async () => {
    ({ schema } = await createStream(subject));
    const where = ['search outcome == "failed"', { template_id: 1, query: 'search user == "kim"', invert: true }];
    logins = await createStreamRule(subject, { schema, where, fields: { name: 'logins' } });
    await createStreamRule(subject, { schema, where: ['search id == 9007199254740993'], fields: { name: 'exact' } });
  });

  it('tells which rules each record matches', async () => {
    const { exitCode, stdout, stderr } = await vigil(['-'], { stdin: RECORDS });
    expect(squeezed(stdout)).toBe(
      [
        'LINE  RULE  OUTCOME  CONDITION  VALUES',
        '  1  logins  matches  -  -',
        '  3  -  no rule matches  -  -',
        '  4  exact  matches  -  -',
        '  5  -  would be rejected: invalid-time  -  -',
        '',
      ].join('\n'),
    );
    expect([exitCode, stderr]).toEqual([0, '2 of 4 records match a rule. Nothing was kept or raised.\n']);
    expect(await eventsOf(subject, logins)).toEqual([]);
  });

  it('tells why one does not match, in Korean, too', async () => {
    const path = join(subject.service.config.data, 'records.ndjson');
    writeFileSync(path, RECORDS);
    const { stdout } = await vigil([path, '--rule', 'logins']);
    expect(squeezed(stdout).split('\n').slice(1, 4)).toEqual([
      '  1  logins  matches  -  -',
      '  3  logins  stopped by condition 2  not: search user == "kim"  user="kim"',
      '  4  logins  stopped by condition 1  search outcome == "failed"  outcome="ok"',
    ]);
    const korean = await vigil([path, '--rule', logins], { environment: { LANG: 'ko_KR.UTF-8' } });
    expect(squeezed(korean.stdout)).toContain('logins  조건 2에서 멈춤  아닐 것: search user == "kim"  user="kim"');
    expect(korean.stderr).toBe('로그 4개 중 1개가 룰에 걸립니다. 저장하거나 탐지한 것은 없습니다.\n');
  });

  it('shows numbers with the digits that they came with', async () => {
    const stdin = '{"id":9007199254740995}';
    expect((await vigil(['-', '--rule', 'exact'], { stdin })).stdout).toContain('id=9007199254740995');
    expect((await vigil(['-', '--rule', 'exact', '--json'], { stdin })).stdout).toContain('"id": 9007199254740995');
  });

  it('gives JSON, and rules of one schema alone', async () => {
    const { stdout } = await vigil(['-', '--json', '--schema', schema], { stdin: RECORDS });
    const names = JSON.parse(stdout).map(({ matches }: { matches: { name: string }[] }) =>
      matches.map(({ name }) => name),
    );
    expect(names).toEqual([['logins'], [], ['exact'], []]);
    expect(JSON.parse((await vigil(['-', '--json', '--schema', 'x'], { stdin: '{}' })).stdout)).toMatchObject([
      { matches: [] },
    ]);
  });

  it('sends many records in several requests', async () => {
    const stdin = Array.from({ length: 2500 }, (_, n) => `{"n":${n},"outcome":"${n % 500 === 0 ? 'failed' : 'ok'}"}`);
    const { stdout, stderr } = await vigil(['-', '--rule', 'logins'], { stdin: stdin.join('\n') });
    expect(stdout.split('\n').filter((line) => line.includes('matches')).length).toBe(5);
    expect(stderr).toBe('5 of 2500 records match a rule. Nothing was kept or raised.\n');
  });

  const mistakes = [
    [['-'], '{"a":1}\n[]', 2, 'vigil: line 2 is not a JSON object\n'],
    [['-', '--rule', 'nobody'], '{}', 1, 'vigil: there is no rule `nobody`\n'],
    [['no-such.ndjson'], '', 2, 'vigil: there is no file no-such.ndjson\n'],
  ] as const;
  it.each(mistakes)('refuses %j', async (args, stdin, exitCode, stderr) => {
    expect(await vigil(args, { stdin })).toMatchObject({ exitCode, stdout: '', stderr });
  });
});
