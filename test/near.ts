// npm run test:near: the tests closest to a change, in at most half a minute. Runs the tests beside the changed files, those
// that import a changed file directly, and those that hold the structure of the project; --deep runs every test that a
// changed file reaches over any number of imports.

import { execFileSync, spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { chooseNear } from './support/near-tests.ts';
import { ROOT } from './support/sources.ts';

const { values } = parseArgs({ options: { since: { type: 'string' }, deep: { type: 'boolean', default: false } } });

const git = (...words: readonly string[]): string[] =>
  execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean);

/** Against a commit, by default the last one; where nothing differs from that, what the last commit itself has changed. */
function changedFiles(since: string | undefined): string[] {
  const against = (commit: string) => [
    ...git('diff', '--name-only', '--diff-filter=d', commit),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
  if (since !== undefined) return against(since);
  const found = against('HEAD');
  return found.length > 0 ? found : git('diff', '--name-only', '--diff-filter=d', 'HEAD~1', 'HEAD');
}

const changed = changedFiles(values.since);
const { chosen, tooLong, deeper } = chooseNear({ changed, isDeep: values.deep });
console.log(`${changed.length} changed files, ${chosen.length} test files`);
for (const { file, seconds } of tooLong) console.log(`left out, ${seconds} s: npx vitest run ${file}`);
if (deeper > 0) console.log(`${deeper} more test files reach a changed file over several imports: --deep runs them`);

const projects = [...new Set(chosen.map(({ part }) => part))].map((part) => `--project=${part}`);
const files = chosen.map(({ file }) => file);
const { status } = spawnSync('vitest', ['run', ...projects, ...files], { cwd: ROOT, stdio: 'inherit' });
process.exitCode = status ?? 1;
