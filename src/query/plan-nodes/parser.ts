// A parser that is a pipeline: `body` runs locally over rows of one field, `line`, that holds `source`. The fields that it
// made or changed are laid over the row or take its place. A row for which none comes out passes unchanged.

import type { MapValue, Value } from '#query/model/values.ts';
import type { PlanNode } from './plan.ts';
import { nothing, type PlanNodeDeclaration } from './plan-node.ts';
import { type ParsedFields, parsedRow, parsedSql, readParsed } from './shared/parsed-fields.ts';

interface ParserRun extends ParsedFields {
  readonly kind: 'parser';
  readonly parser: string;
  /** From its given rows to its last node. */
  readonly body: readonly PlanNode[];
}

export const parser: PlanNodeDeclaration<ParserRun> = {
  kind: 'parser',
  takes: 'each',
  expressions: ({ source }) => [source],
  makes: nothing,
  reads: readParsed,
  pushdown: 'lost',
  counts: 'as-input',

  sql(node, compiler) {
    const pass = compiler.recordSteps(node.body);
    return parsedSql(node, { parse: ([line = null]) => parsedBy(pass, line) ?? null }, compiler);
  },

  local: {
    begins: (_, isInThreads) => isInThreads,
    row(node, scope) {
      const pass = scope.recordSteps(node.body);
      const text = scope.text(node.source);
      return parsedRow(
        node,
        scope,
        scope.lenient((row) => parsedBy(pass, text(row)), undefined),
      );
    },
  },
};

const LINE = 'line';

function parsedBy(pass: (record: MapValue) => MapValue | undefined, line: Value): MapValue | undefined {
  if (line === null) return undefined;
  const made = pass(new Map([[LINE, line]]));
  if (made?.get(LINE) !== line) return made;
  return new Map([...made].filter(([name]) => name !== LINE));
}
