// The long run: `npm run test:differential -- --for 10m --seed 7 --only pipelines`. It ends with 1 where evaluators disagreed.
// With `--engine clickhouse` the engines are held against each other, on the servers that the setup of the tests makes.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '#test/support/sources.ts';
import { checks } from './checks.ts';
import { milliseconds, runLong } from './long-run.ts';

const { values } = parseArgs({
  options: {
    for: { type: 'string', default: '10m' },
    seed: { type: 'string' },
    only: { type: 'string' },
    most: { type: 'string', default: '20' },
    engine: { type: 'string' },
  },
});

milliseconds(values.for);
process.exitCode = values.engine === undefined ? await compareEvaluators() : compareEngines(values.engine);

async function compareEvaluators(): Promise<number> {
  const selected = checks.filter(({ name }) => values.only === undefined || values.only.split(',').includes(name));
  if (selected.length === 0)
    throw new Error(`--only ${values.only}: there are ${checks.map(({ name }) => name).join(', ')}`);
  const { for: length, seed, most } = values;
  return (await runLong({ checks: selected, length, seed, most: Number(most) })) === 0 ? 0 : 1;
}

function compareEngines(engine: string): number {
  if (engine !== 'clickhouse') throw new Error(`--engine ${engine}: there is clickhouse`);
  const env = {
    ...process.env,
    // What cannot be had is a failure.
    CI: 'true',
    VIGIL_DIFFERENTIAL: JSON.stringify({ length: values.for, seed: values.seed, most: Number(values.most) }),
  };
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const args = [
    vitest,
    'run',
    'test/differential/engines.test.ts',
    '--project',
    'differential',
    '--testTimeout=0',
    '--disableConsoleIntercept',
  ];
  return spawnSync(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' }).status ?? 1;
}
