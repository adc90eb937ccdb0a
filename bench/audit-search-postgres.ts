// How a search of the audit trail grows with the trail, on PostgreSQL. A bench of its own because filling takes a
// quarter of an hour there.

import type { Bench } from './support/bench.ts';
import { openDatabases } from './support/postgres-databases.ts';
import { searchGrowth } from './support/search-growth.ts';

export const auditSearchPostgres: Bench = {
  name: 'audit-search-postgres',
  question: 'How does a search of the audit trail grow from 100,000 to 1,000,000 entries on PostgreSQL?',
  yardstick: 'the same query over the trail of a tenth of the length',
  aim: 'at most 50 ms, and at most twice as long over ten times the entries',

  async run(effort) {
    await using databases = await openDatabases();
    if ('reason' in databases) return { rows: [], notes: [`Not measured: ${databases.reason}`] };
    return await searchGrowth(effort, databases);
  },
};
