// `npm run test:cluster` runs the contract suites through a proxy over three nodes. A service that has one node there all the same
// says so and why (`alone`, test/support/balanced-nodes.ts); this is the whole list of them.

import { expect, it } from 'vitest';
import { ALONE } from '#test/support/balanced-nodes.ts';
import { sourcesIn } from '#test/support/sources.ts';

/** How many services of a file, by their reason. */
const LISTED: Readonly<Record<keyof typeof ALONE, Readonly<Record<string, number>>>> = {
  embedded: {
    'cancelled-moves': 2,
    'logs-on-clickhouse': 1,
    'moved-tables': 6,
    'queries/catalog-counts': 1,
    'queries/charts': 1,
    'queries/disturbances': 2,
    'queries/secrecy': 1,
    'queries/system': 1,
    'queries/tier-2': 1,
    'slow-readers': 1,
    'table-sizes': 1,
    'tables-in-two-locations': 2,
  },
  node: {
    bodies: 2,
    'clickhouse-shards': 2,
    'log-store-limits': 1,
    'queries/admission': 2,
    'queries/rehearsal': 5,
    'queries/waiting': 1,
    service: 2,
  },
  counts: { access: 1 },
  process: { 'logs-on-clickhouse': 2 },
  connection: { addresses: 1, bodies: 1, 'idle-connections': 1, limits: 3, 'pending-heads': 1, 'unread-bodies': 3 },
};

it('Services of the contract suites have one node in a cluster for a listed reason alone', () => {
  const found = Object.fromEntries(Object.keys(ALONE).map((reason) => [reason, {} as Record<string, number>]));
  for (const { path, text } of sourcesIn('test/contract/**/*.test.ts')) {
    const name = path.replace('test/contract/', '').replace('.test.ts', '');
    for (const [, reason = ''] of text.matchAll(/\balone: '(\w+)'/g)) {
      const files = found[reason] ?? {};
      found[reason] = { ...files, [name]: (files[name] ?? 0) + 1 };
    }
    expect([name, text.includes('VIGIL_TEST_NODES')]).toEqual([name, false]);
  }
  expect(found).toEqual(LISTED);
});
