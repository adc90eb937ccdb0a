// How a search of the audit trail grows with the trail, on the embedded database.

import type { Bench } from './support/bench.ts';
import { searchGrowth } from './support/search-growth.ts';

export const auditSearch: Bench = {
  name: 'audit-search',
  question: 'How long does a search of the audit trail take, and how does that grow from 100,000 to 1,000,000 entries?',
  yardstick: 'the same query over the trail of a tenth of the length',
  aim: 'at most 50 ms, and at most twice as long over ten times the entries',

  run: (effort) => searchGrowth(effort),
};
