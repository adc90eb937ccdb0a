// outputcsv, outputjson, outputtxt: writes its rows to a file; all of them go on. The rows of its input are a stage.

import type { PathPart } from '#query/values/export-paths.ts';
import type { Charset } from '#query/values/text/charsets.ts';
import type { FlushingSink } from './effect.ts';
import type { Step } from './plan.ts';
import { nothing, type PlanNodeDeclaration } from './plan-node.ts';
import { handedToSink } from './shared/local-rows.ts';

/** How a file sink writes its rows. */
export type OutputForm =
  | { readonly format: 'csv'; readonly separator: ',' | '\t'; readonly mark: boolean; readonly encoding: Charset }
  | { readonly format: 'json'; readonly encoding: Charset }
  | { readonly format: 'txt'; readonly delimiter: string; readonly gzip: boolean; readonly encoding: Charset };

export interface Output extends Step {
  readonly kind: 'output';
  readonly form: OutputForm;
  /** As written, or with the moments of `partition=t` between its texts. */
  readonly path: readonly PathPart[];
  readonly append: boolean;
  readonly overwrite: boolean;
  /** Absent: all fields of the row. */
  readonly names?: readonly string[];
  /** The account whose rights it has; absent: the account that runs the query. */
  readonly account?: string;
}

interface FileSinks {
  /** A file below the export folder. */
  fileSink(node: Output): Promise<FlushingSink>;
}

export const output: PlanNodeDeclaration<Output, FileSinks> = {
  kind: 'output',
  takes: 'all-always',
  expressions: nothing,
  makes: nothing,
  reads: ({ input }, reading) => reading.wholeRows(input.rows),
  pushdown: 'lost',
  counts: 'as-input',
  effect: (node) => ({ kind: 'sink', reach: 'changes', open: (services) => services.fileSink(node) }),
  sql: ({ input }, compiler) => compiler.planNode(input),
  local: handedToSink,
};
