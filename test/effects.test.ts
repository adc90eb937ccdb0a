// A command with an effect is its node, its command and their lines in two lists: a copy of the sources gets one and runs it. An
// effect that nothing carries out, or that is opened with a service which no run has, does not compile.

import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '#test/support/sources.ts';

const run = promisify(execFile);

const NODE = `import type { FlushingSink } from './effect.ts';
import { type PlanNodeDeclaration, nothing } from './plan-node.ts';
import type { Step } from './plan.ts';
import { handedToSink } from './shared/local-rows.ts';

export interface Note extends Step {
  readonly kind: 'note';
}

interface Notes {
  notes(node: Note): Promise<FlushingSink>;
}

export const note: PlanNodeDeclaration<Note, Notes> = {
  kind: 'note',
  takes: 'all-always',
  expressions: nothing,
  makes: nothing,
  reads: ({ input }, reading) => reading.wholeRows(input.rows),
  pushdown: 'lost',
  counts: 'as-input',
  effect: (node) => ({ kind: 'sink', reach: 'changes', open: (services) => services.notes(node) }),
  sql: ({ input }, compiler) => compiler.planNode(input),
  local: handedToSink,
};
`;

const COMMAND = `import { command } from '#query/planning/command.ts';

export const note = command({
  name: 'note',
  class: 'sink',
  syntax: 'note',
  summary: { en: 'Notes its rows.', ko: '행을 적습니다.' },
  rules: [],
  errors: [],
  examples: [],
  *read() {
    return {};
  },
  text: () => '',
  plan: (_, planning) => ({ ...planning.step(planning.rows), kind: 'note' }),
});
`;

const SCRIPT = `import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '#kernel/time/clock.ts';
import { Runs } from '#logs/runs/statements/runs.ts';
import { openRunTables } from '#logs/stores/embedded/reads/run-tables.ts';
import { checkQuery } from '#query/query.ts';
import { servicesWith } from '#test/support/effect-services.ts';
import { FACTS, Watched } from '#test/support/engine-query.ts';
import { contextOf } from '#test/support/query-examples.ts';

const folder = join(import.meta.dirname, 'run');
mkdirSync(join(folder, 'spill'), { recursive: true });
const bytes = 2 ** 30;
const limits = { memoryBytes: bytes, diskBytes: bytes, accountMemoryBytes: bytes, accountDiskBytes: bytes };
const runs = new Runs({ clock: systemClock, limits, spillFolder: join(folder, 'spill'), memoryFolder: folder });
const noted = [];
const sink = {
  add: async (rows) => void noted.push(...rows.map((row) => Number(row.get('n')))),
  prepare: async () => {},
  commit: async () => void noted.push('committed'),
  discard: async () => {},
  flush: async () => {},
};
const refuse = () => { throw new Error('not here'); };
const { plan, references } = checkQuery("json \\"[{n:1},{n:2}]\\" | note | stats count", contextOf({}));
const deps = {
  tables: new Map(), awaited: new Set(), facts: FACTS, account: 'tester', watch: new Watched(),
  services: servicesWith({ notes: async () => sink }), hasSecretRows: false,
  isApart: false, isInThreads: false, isLong: false, signal: new AbortController().signal,
};
const places = {
  tables: (place) => openRunTables(new Map(), place),
  shared: () => runs.openShared(), secret: refuse, stage: refuse, append: refuse, lookupPath: refuse,
};
await using begun = await runs.begin(deps, places);
const rows = (await Array.fromAsync(begun.rows(plan))).flat();
console.log(JSON.stringify({ rows, noted, changes: references.changes.map(({ name }) => name) }));
process.exit(0);
`;

const NEVER_CARRIED_OUT = NODE.replaceAll('Note', 'Shout')
  .replaceAll('note', 'shout')
  .replace(`kind: 'sink', reach`, `kind: 'shouted', reach`);

describe('A command with an effect, in a copy of the sources', () => {
  let folder = '';

  const edit = async (path: string, change: (text: string) => string) =>
    await writeFile(join(folder, path), change(await readFile(join(folder, path), 'utf8')));

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vigil-effects-'));
    for (const path of ['src', 'test/support', 'package.json', 'tsconfig.json'])
      await cp(join(ROOT, path), join(folder, path), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, 'src/query/plan-nodes/note.ts'), NODE);
    await writeFile(join(folder, 'src/query/commands/note.ts'), COMMAND);
    await edit('src/query/plan-nodes/index.ts', (text) => listed(text, 'note'));
    await edit('src/query/commands/index.ts', (text) => listed(text, 'note'));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is carried out by a run that knows neither its node nor its command', async () => {
    await writeFile(join(folder, 'run.ts'), SCRIPT);
    const { stdout } = await run(process.execPath, [join(folder, 'run.ts')], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual({ rows: ['[2]'], noted: [1, 2, 'committed'], changes: ['note'] });
  });

  it('does not compile without its service where runs are begun, nor with an effect that nothing carries out', async () => {
    await writeFile(join(folder, 'src/query/plan-nodes/shout.ts'), NEVER_CARRIED_OUT);
    await edit('tsconfig.json', (text) =>
      text.replace(
        /"include": \[[^\]]*\]/,
        '"include": ["src/queries/runs/phase-run.ts", "src/query/plan-nodes/shout.ts"]',
      ),
    );
    const tsc = run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder], { cwd: folder });
    const stdout = await tsc.then(
      () => '',
      (error: { readonly stdout: string }) => error.stdout,
    );
    const [carried = '', opened = '', ...others] = stdout
      .split('\n')
      .filter((line) => /^\S/.test(line))
      .sort()
      .toReversed();
    expect(carried).toMatch(/^src\/query\/plan-nodes\/shout\.ts\(.*"shouted"/);
    expect(opened).toMatch(/^src\/queries\/runs\/phase-run\.ts\(.*\bNotes\b/);
    expect(others).toEqual([]);
  });
});

/** A list of declarations with one more. */
const listed = (text: string, name: string): string =>
  text
    .replace(/^import \{ order/m, `import { ${name} } from './${name}.ts';\n$&`)
    .replace(/^import \{ output \}/m, `import { ${name} } from './${name}.ts';\n$&`)
    .replace(/^ {2}(order|output),$/m, `  ${name},\n$&`);
