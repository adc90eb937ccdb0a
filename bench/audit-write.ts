// How many audited changes per second can be made durable when many callers write at once, beside what the same
// database does with one flush per row.

import { mkdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type Draft, ENTRY_COLUMNS, entryRow, entrySearchText } from '#audit/entry.ts';
import { systemClock } from '#kernel/time/clock.ts';
import { draftOf } from './support/audit-entries.ts';
import { type AuditParts, openAuditParts } from './support/audit-parts.ts';
import type { Bench, Effort, Row } from './support/bench.ts';
import { median } from './support/numbers.ts';
import { MASTER_KEY } from './support/server-process.ts';
import { type WorkFolder, workFolder } from './support/work-folder.ts';

const WRITERS = 1000;
const DRAFTS = 20_000;
const AIM = { of: 'value', is: 'at least', bound: 20_000 } as const;

export const auditWrite: Bench = {
  name: 'audit-write',
  question: 'How many audit entries per second become durable when many callers write at the same time?',
  yardstick: 'node:sqlite, the same rows, one transaction each (WAL, synchronous=FULL), in the same folder',
  aim: 'at least 20,000 per second',

  async run(effort) {
    using folder = workFolder();
    // Made beforehand: thinking up an entry is not part of writing it.
    const drafts = Array.from({ length: DRAFTS }, (_, id) => draftOf(id));
    const ways = [oneByOne(folder, drafts), ...(await throughTrail(folder, drafts))];
    using background = watchBackground();
    const taken = await measureInTurn(ways, effort);
    for (const way of ways) await way.close();
    return { rows: rowsOf(ways, taken), notes: [...NOTES, ...failuresOf(ways), ...background.notes()] };
  },
};

const NOTES = [
  `${WRITERS} callers, each waiting for its entry to be durable before it writes the next; group commit brings them together.`,
  '"record" adds an entry by itself, "change" runs an update of one row as a unit of the store and leaves an entry, as every changing operation does.',
  'Rates are of the best round: what else runs on the machine only ever takes away. Processor time is that of the writing thread per entry.',
  'In "record, text index behind" the keyword index is filled in its own thread meanwhile, as it is in the running service.',
];

interface Way {
  readonly name: string;
  readonly aim?: Row['aim'];
  /** Writes until `isOver`, and gives the number of durable entries. */
  write(isOver: () => boolean): Promise<number>;
  /** Why groups were not committed, if any were not. */
  failures?(): ReadonlySet<string>;
  close(): Promise<void>;
}

function oneByOne(folder: WorkFolder, drafts: readonly Draft[]): Way {
  mkdirSync(folder.at('plain'));
  const database = new DatabaseSync(folder.at('plain', 'metadata.db'));
  database.exec('pragma journal_mode = wal; pragma synchronous = full');
  database.exec(`create table entries (${ENTRY_COLUMNS.join(', ')}, text, primary key (id))`);
  const holes = ENTRY_COLUMNS.map(() => '?').join(', ');
  const insert = database.prepare(`insert into entries values (${holes}, ?)`);
  let id = 0;
  return {
    name: 'one by one',
    async write(isOver) {
      const first = id;
      for (; !isOver(); id += 1) {
        const entry = { ...draftIn(drafts, id), id, created_at: id, hash: '0'.repeat(64) };
        insert.run(...entryRow(entry), entrySearchText(entry));
      }
      return id - first;
    },
    close: async () => database.close(),
  };
}

async function throughTrail(folder: WorkFolder, drafts: readonly Draft[]): Promise<Way[]> {
  const open = (name: string) => openAuditParts({ folder: folder.at(name), masterKey: MASTER_KEY }, systemClock);
  const wayOf = (name: string, parts: AuditParts, write: (id: number) => Promise<unknown>): Way => ({
    name,
    write: (isOver) => byMany(isOver, write),
    failures: () => parts.failures,
    close: async () => parts[Symbol.asyncDispose](),
  });
  const recording = await open('record');
  const changing = await open('change');
  const indexed = await open('indexed');
  indexed.index();
  return [
    { ...wayOf('record', recording, (id) => recording.trail.record(draftIn(drafts, id))), aim: AIM },
    { ...wayOf('change', changing, (id) => changeOnce(changing, id, draftIn(drafts, id))), aim: AIM },
    wayOf('record, text index behind', indexed, (id) => indexed.trail.record(draftIn(drafts, id))),
  ];
}

const draftIn = (drafts: readonly Draft[], id: number): Draft => drafts[id % DRAFTS] ?? draftOf(id);

function changeOnce({ trail }: AuditParts, id: number, draft: Draft): Promise<unknown> {
  return trail.change(
    (db) => db.updateTable('companies').set({ updated_at: id }).where('name', '=', 'default').execute(),
    () => draft,
  );
}

async function byMany(isOver: () => boolean, write: (id: number) => Promise<unknown>): Promise<number> {
  let asked = 0;
  let durable = 0;
  const writers = Array.from({ length: WRITERS }, async () => {
    while (!isOver()) {
      asked += 1;
      // Why a group was not committed is told among the notes.
      await write(asked).then(
        () => {
          durable += 1;
        },
        () => undefined,
      );
    }
  });
  await Promise.all(writers);
  return durable;
}

/** What fails where nobody waits for it is told, as the service tells it, and ends nothing. */
function watchBackground(): { notes(): string[] } & Disposable {
  const reasons = new Set<string>();
  const note = (reason: unknown) => void reasons.add(String(reason));
  process.on('unhandledRejection', note);
  return {
    notes: () => [...reasons].map((why) => `FAILED in the background: ${why}`),
    [Symbol.dispose]: () => void process.off('unhandledRejection', note),
  };
}

const failuresOf = (ways: readonly Way[]): string[] =>
  ways.flatMap(({ name, failures }) => [...(failures?.() ?? [])].map((why) => `FAILED in "${name}": ${why}`));

interface Round {
  readonly rate: number;
  readonly cpuMicroseconds: number;
}

async function measureInTurn(ways: readonly Way[], { isQuick, say }: Effort): Promise<Round[][]> {
  const [rounds, milliseconds] = isQuick ? [2, 1000] : [8, 3000];
  const taken = ways.map((): Round[] => []);
  // Round 0 warms up.
  for (let round = 0; round <= rounds; round += 1) {
    say(`round ${round} of ${rounds}`);
    for (const [index, way] of ways.entries()) {
      const measured = await measure(way, milliseconds);
      if (round > 0) taken[index]?.push(measured);
    }
  }
  return taken;
}

async function measure(way: Way, milliseconds: number): Promise<Round> {
  const begun = performance.now();
  const cpu = process.threadCpuUsage();
  const written = await way.write(() => performance.now() - begun >= milliseconds);
  const { user, system } = process.threadCpuUsage(cpu);
  return { rate: (written / (performance.now() - begun)) * 1000, cpuMicroseconds: (user + system) / written };
}

function rowsOf(ways: readonly Way[], taken: readonly Round[][]): Row[] {
  const [held = []] = taken;
  return ways.flatMap(({ name, aim }, index): Row[] => {
    const rounds = taken[index] ?? [];
    const rates = { value: bestOf(rounds), yardstick: bestOf(held) };
    const cpu = { value: cpuOf(rounds), yardstick: cpuOf(held) };
    return [
      { what: `${name}: entries`, unit: '/s', ...rates, ...(aim ? { aim } : {}) },
      { what: `${name}: processor time`, unit: 'µs', ...cpu },
    ];
  });
}

const bestOf = (rounds: readonly Round[]) => Math.max(...rounds.map(({ rate }) => rate));
const cpuOf = (rounds: readonly Round[]) => median(rounds.map(({ cpuMicroseconds }) => cpuMicroseconds));
