// How long a start takes, from the new process to the first 200, beside that of a bare Fastify server. The compile
// cache is warm: a machine compiles a version once and starts it many times.

import { mkdirSync, rmSync } from 'node:fs';
import type { Bench, Effort, Row } from './support/bench.ts';
import { median } from './support/numbers.ts';
import { benchServer, type Launch, launch, vigil } from './support/server-process.ts';
import { type WorkFolder, workFolder } from './support/work-folder.ts';

const WARM_UPS = 3;

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
  'The service and Fastify both call enableCompileCache() and then import what they are made of; the service runs as its bundle, and the sources as written for comparison.',
];

interface Candidate {
  readonly name: string;
  readonly path: string;
  readonly launch: Launch;
  before?(): void;
}

function candidatesIn(folder: WorkFolder): readonly Candidate[] {
  // node:module keeps its cache in the temporary folder.
  const cached = { TMPDIR: folder.at('compile-cache') };
  const service = (name: string): Launch => {
    const declared = vigil({ folder: folder.at(name) });
    return { ...declared, environment: { ...declared.environment, ...cached } };
  };
  const bare = (file: string): Launch => ({
    script: benchServer(file),
    args: (port) => [String(port)],
    environment: cached,
  });
  return [
    { name: 'bare Fastify', path: '/hello', launch: bare('bare-fastify.mjs') },
    { name: 'bare node:http', path: '/hello', launch: bare('bare-node.mjs') },
    { name: 'existing data folder', path: '/readyz', launch: service('existing') },
    {
      name: 'existing data folder, sources instead of the bundle',
      path: '/readyz',
      launch: { ...service('sources'), script: benchServer('vigil-sources.mjs') },
    },
    {
      name: 'fresh data folder',
      path: '/readyz',
      launch: service('fresh'),
      before: () => rmSync(folder.at('fresh'), { recursive: true, force: true }),
    },
  ];
}

async function startInTurn(candidates: readonly Candidate[], { isQuick, say }: Effort): Promise<number[][]> {
  const rounds = isQuick ? 3 : 25;
  const times = candidates.map((): number[] => []);
  for (let round = 1 - WARM_UPS; round <= rounds; round += 1) {
    if (round > 0) say(`round ${round} of ${rounds}`);
    for (const [index, candidate] of candidates.entries()) {
      const milliseconds = await startOnce(candidate);
      if (round > 0) times[index]?.push(milliseconds);
    }
  }
  return times;
}

async function startOnce({ launch: declared, path, before }: Candidate): Promise<number> {
  before?.();
  await using server = await launch(declared);
  return await server.ready(path);
}

function rowsOf(candidates: readonly Candidate[], times: readonly number[][]): Row[] {
  const yardstick = median(times[0] ?? []);
  const aim = { of: 'ratio', is: 'at most', bound: 2.2 } as const;
  return candidates.map(({ name }, index) => ({
    what: `${name}: to the first 200`,
    value: median(times[index] ?? []),
    unit: 'ms',
    yardstick,
    ...(name === 'existing data folder' ? { aim } : {}),
  }));
}
