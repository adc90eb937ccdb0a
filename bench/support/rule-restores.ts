// Restoring rules that differ in how long their past is and how much they refer to.

import { created } from '#test/support/accounts.ts';
import type { Effort, Row } from './bench.ts';
import { median } from './numbers.ts';
import { RULE, RULES } from './rule-runs.ts';
import { launch, vigil } from './server-process.ts';
import { type Service, serviceOf } from './service-calls.ts';
import { timed } from './timed.ts';
import type { WorkFolder } from './work-folder.ts';

export const RESTORE_NOTES: readonly string[] = [
  'Restore: POST …/versions/N/restore of all rules in turn, each of which writes another version. References are reviewers. Where they stay, the versions differ in their description alone; where they change, the restored version names other reviewers than the one in force, all of them.',
];

const AIM = { of: 'ratio', is: 'at most', bound: 1.5 } as const;
const QUERY = 'json "{\\"status\\":1}"';

interface Restored {
  readonly guid: string;
  readonly taken: number[];
  /** Which version is put in force at a turn. */
  versionAt(turn: number): number;
}

export async function measureRestores(folder: WorkFolder, { isQuick, say }: Effort): Promise<Row[]> {
  const sizes = isQuick ? { versions: 20, references: 5, turns: 5 } : { versions: 1000, references: 50, turns: 50 };
  await using server = await launch(vigil({ folder: folder.at('restore') }));
  await server.ready('/readyz');
  const service = serviceOf(server);
  const users: string[] = [];
  for (let number = 0; number < 2 * sizes.references; number += 1) {
    users.push(await created(service, '/api/core/users', { login: `u${number}`, name: 'u', role: 'MEMBER' }));
  }
  say(`${sizes.versions} versions`);
  const some = users.slice(0, sizes.references).join();
  const others = users.slice(sizes.references).join();
  const short = restoredRule(await withVersions(service, 'short', ['', '']));
  const long = restoredRule(await withVersions(service, 'long', Array(sizes.versions).fill(some)));
  const swapped = await withVersions(service, 'swapped', [some, ...Array(sizes.versions - 1).fill(others)]);
  const changed = { ...restoredRule(swapped), versionAt: (turn: number) => 1 + (turn % 2) };
  for (let turn = 0; turn < sizes.turns; turn += 1) {
    for (const rule of [long, short, changed]) await restore(service, rule, turn);
  }
  const common = { unit: 'ms', yardstick: median(short.taken) } as const;
  const what = `restore with ${sizes.versions} versions and ${sizes.references} references`;
  return [
    { what: `${what} that stay: p50`, value: median(long.taken), ...common, aim: AIM },
    { what: `${what} that change: p50`, value: median(changed.taken), ...common },
  ];
}

const restoredRule = (guid: string): Restored => ({ guid, taken: [], versionAt: () => 1 });

async function restore(service: Service, { guid, taken, versionAt }: Restored, turn: number): Promise<void> {
  const path = `${RULES}/${guid}/versions/${versionAt(turn)}/restore`;
  const { value, milliseconds } = await timed(() => service.call('POST', path));
  if (value.json.result !== true) throw new Error(`not restored: ${value.text}`);
  taken.push(milliseconds);
}

/** A rule with a version for each of these lists of reviewers. */
async function withVersions(service: Service, name: string, reviewers: readonly string[]): Promise<string> {
  const formOf = (version: number) => {
    const named = reviewers[version] ? { reviewer_guids: reviewers[version] } : {};
    return { ...RULE, ...named, name, query: QUERY, description: `version ${version + 1}` };
  };
  const guid = await created(service, RULES, formOf(0));
  for (let version = 1; version < reviewers.length; version += 1) {
    await service.call('PUT', `${RULES}/${guid}`, { form: formOf(version) });
  }
  return guid;
}
