// Begins with the files that take longest, so that no worker is left alone with one of them at the end. A checkout has no
// times of earlier runs, and the size of a file says little about its time.

import { globSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files of more than ten seconds, most of which wait: for processes, connections and timers. */
const LONGEST = [
  'test/schema/schema.test.ts',
  'test/crash/*.test.ts',
  'test/documents.test.ts',
  'test/demo.test.ts',
  'test/differential/differential.test.ts',
  'test/contract/queries/admission.test.ts',
  'src/store/broken-connections.test.ts',
  'test/collectors/{many-files,syslog-limits,files}.test.ts',
  'src/cli/key/renew-audit-gap.test.ts',
  'src/query/statements/{fulltext,windows}.test.ts',
  'test/contract/queries/{disturbances,counts}.test.ts',
  'src/engines/duckdb/{engine,engine-on-postgres}.test.ts',
  'src/objects/families.test.ts',
];

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const longest = LONGEST.flatMap((pattern) => found(pattern, this.ctx.config.root));
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = longest.indexOf(relative(this.ctx.config.root, moduleId));
      return rank === -1 ? longest.length : rank;
    };
    // Projects stay in their order.
    const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    return (await super.sort(files)).toSorted((a, b) => groupOf(a) - groupOf(b) || rankOf(a) - rankOf(b));
  }
}

function found(pattern: string, root: string): readonly string[] {
  const files = globSync(pattern, { cwd: root }).toSorted();
  if (files.length === 0) throw new Error(`no file of tests is called ${pattern}`);
  return files;
}
