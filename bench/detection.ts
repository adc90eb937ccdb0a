// What detection costs: restoring a rule that has a long past, running a rule in place of its query, and making events of
// what was found.

import type { Bench } from './support/bench.ts';
import { measureRaising, RAISING_NOTES } from './support/rule-raising.ts';
import { measureRestores, RESTORE_NOTES } from './support/rule-restores.ts';
import { measureRuns, RUN_NOTES } from './support/rule-runs.ts';
import { workFolder } from './support/work-folder.ts';

export const detection: Bench = {
  name: 'detection',
  question: 'What does it cost to restore a rule with a long past, to run a rule, and to raise what it has found?',
  yardstick:
    'a rule with two versions and no references; the bare query of the rule; bare inserts of as many rows by node:sqlite',
  aim: 'restore at most 1.5 times; run at most 1.15 times; event loop held for at most 50 ms',

  async run(effort) {
    using folder = workFolder();
    const rows = [
      ...(await measureRestores(folder, effort)),
      ...(await measureRuns(effort)),
      ...(await measureRaising(folder, effort)),
    ];
    return { rows, notes: [...RESTORE_NOTES, ...RUN_NOTES, ...RAISING_NOTES] };
  },
};
