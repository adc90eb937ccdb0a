import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const SCRIPT = `
  import { openServiceLog } from './service-log.ts';
  const log = openServiceLog('info');
  log.info({ table: 'web', api_key: 'xyzzy' }, 'said');
  log.warn({ deep: { list: [{ 'Client-Secret': 'xyzzy', n: 1 }] } }, 'warned');
  log.error({ authorization: 'Bearer xyzzy', error: { message: 'as it is' } }, 'failed');
  log.flush();
  process.exit();
`;

it('The service log masks fields that are named like secrets, at any depth', () => {
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', SCRIPT], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  const lines = stderr.split('\n').filter((line) => line.startsWith('{'));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { table: 'web', api_key: '***', msg: 'said' },
    { deep: { list: [{ 'Client-Secret': '***', n: 1 }] }, msg: 'warned' },
    { authorization: '***', error: { message: 'as it is' }, msg: 'failed' },
  ]);
  expect(stderr).not.toContain('xyzzy');
});
