// A named parser: `body` runs in the host over rows of one field, `line`, that holds `source`; the fields that come out are
// laid over the row or take its place. A row that the body drops passes unchanged.

import { type NodeDeclaration, nothing } from './node.ts';
import type { PlanNode } from './plan.ts';
import { type ParsedFields, parsedSql, readParsed } from './shared/parsed-fields.ts';

interface ParserRun extends ParsedFields {
  readonly kind: 'parser';
  readonly parser: string;
  readonly body: PlanNode;
}

export const parser: NodeDeclaration<ParserRun> = {
  kind: 'parser',
  takes: 'each',
  expressions: ({ source }) => [source],
  makes: nothing,
  reads: readParsed,
  bounds: 'lost',
  counts: 'as-input',
  sql(node, compiler) {
    const parsed = compiler.recordSteps(node.body);
    return parsedSql(
      node,
      { parse: ([line = null]) => (line === null ? null : (parsed(new Map([['line', line]])) ?? null)) },
      compiler,
    );
  },
};
