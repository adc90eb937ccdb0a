// How long a start takes, from the new process to the first 200, beside that of a bare Fastify server. The compile
// cache is warm.

import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { writePackage } from '#packaging/program-folder.ts';
import type { Bench, Row } from './support/bench.ts';
import { median } from './support/numbers.ts';
import { benchServer, type Launch, vigil } from './support/server-process.ts';
import { type Candidate, startInTurn, WARM_UPS } from './support/starts.ts';
import { type WorkFolder, workFolder } from './support/work-folder.ts';

const ROOT = join(import.meta.dirname, '..');
/** What an operator starts. */
const JUDGED = 'existing data folder';

export const start: Bench = {
  name: 'start',
  question: 'How long from starting the process to the first 200 on /readyz?',
  yardstick: 'a bare Fastify server, started in the same way, to its first 200',
  aim: 'at most 2.2 times as long, on an existing data folder',

  async run(effort) {
    using folder = workFolder();
    mkdirSync(folder.at('compile-cache'));
    const candidates = candidatesIn(folder);
    const times = await startInTurn(candidates, effort);
    return { rows: rowsOf(candidates, times), notes: NOTES };
  },
};

const NOTES = [
  `Medians of starts in turn, after ${WARM_UPS} that fill the compile cache; the readiness is asked for every millisecond.`,
  'The service and Fastify both call enableCompileCache() and then import what they are made of. The service is the package of a release; for comparison it also runs out of the checkout, where each start compares the bundle with 1,700 sources, and as these sources.',
];

function candidatesIn(folder: WorkFolder): readonly Candidate[] {
  // node:module keeps its cache in the temporary folder.
  const cached = { TMPDIR: folder.at('compile-cache') };
  const service = (name: string): Launch => {
    const declared = vigil({ folder: folder.at(name) });
    return { ...declared, environment: { ...declared.environment, ...cached } };
  };
  const script = releasedIn(folder);
  const bare = (file: string): Launch => ({
    script: benchServer(file),
    args: (port) => [String(port)],
    environment: cached,
  });
  return [
    { name: 'bare Fastify', path: '/hello', launch: bare('bare-fastify.mjs') },
    { name: 'bare node:http', path: '/hello', launch: bare('bare-node.mjs') },
    { name: JUDGED, path: '/readyz', launch: { ...service('existing'), script } },
    { name: `${JUDGED}, in a checkout`, path: '/readyz', launch: service('checkout') },
    {
      name: `${JUDGED}, sources instead of the bundle`,
      path: '/readyz',
      launch: { ...service('sources'), script: benchServer('vigil-sources.mjs') },
    },
    {
      name: 'fresh data folder',
      path: '/readyz',
      launch: { ...service('fresh'), script },
      before: () => rmSync(folder.at('fresh'), { recursive: true, force: true }),
    },
  ];
}

/** The package of a release, with the packages of this checkout. */
function releasedIn(folder: WorkFolder): string {
  writePackage(ROOT, folder.at('released'));
  symlinkSync(join(ROOT, 'node_modules'), folder.at('released', 'node_modules'));
  return folder.at('released', 'bin/vigil.js');
}

function rowsOf(candidates: readonly Candidate[], times: readonly number[][]): Row[] {
  const yardstick = median(times[0] ?? []);
  const aim = { of: 'ratio', is: 'at most', bound: 2.2 } as const;
  return candidates.map(({ name }, index) => ({
    what: `${name}: to the first 200`,
    value: median(times[index] ?? []),
    unit: 'ms',
    yardstick,
    ...(name === JUDGED ? { aim } : {}),
  }));
}
