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

const MANY = `
  import { openServiceLog } from './service-log.ts';
  const log = openServiceLog('warn');
  log.info({ n: -1 }, 'too low');
  for (let n = 0; n < 500; n += 1) log.warn({ n, text: 'é "quoted"' }, 'gathered');
  log.error({}, 'last');
  log.flush();
  process.exit();
`;

it('The service log writes whole lines in their order, from the lowest level that is asked for', () => {
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', MANY], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  const lines = stderr.split('\n').filter((line) => line.startsWith('{'));
  expect(lines).toHaveLength(501);
  expect(lines[0]).toMatch(
    /^\{"level":40,"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z","n":0,"text":"é \\"quoted\\"","msg":"gathered"\}$/,
  );
  expect(lines[500]).toMatch(/^\{"level":50,"time":"[^"]+","msg":"last"\}$/);
  expect(lines.slice(0, 500).map((line) => JSON.parse(line).n)).toEqual(Array.from({ length: 500 }, (_, n) => n));
});

it.each(["throw new Error('unexpected');", 'process.exit(1);', ''])(
  'The service log keeps its last line where %j ends the process',
  (end) => {
    const script = `
    import { openServiceLog } from './service-log.ts';
    openServiceLog('info').error({}, 'last');
    ${end}
  `;
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    });
    expect(stderr).toMatch(/^\{"level":50,"time":"[^"]+","msg":"last"\}$/m);
  },
);
