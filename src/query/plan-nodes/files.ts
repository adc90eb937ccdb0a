// csvfile, jsonfile, textfile, zipfile: rows of files below the import folders, read locally. Which fields a file has is
// known only when it is read.

import type { ColumnId } from '#query/model/expression.ts';
import type { Charset } from '#query/values/text/charsets.ts';
import type { FileBytes } from './effect.ts';
import { unchanged } from './local-form.ts';
import type { PlanNode } from './plan.ts';
import { counters, nothing, type PlanNodeDeclaration } from './plan-node.ts';
import { onlyLocal } from './shared/local-rows.ts';

/** How rows are made of a file. */
export type FileForm =
  | { readonly format: 'csv'; readonly separator: ',' | '\t'; readonly maxColumns?: number }
  | { readonly format: 'json'; readonly overlay: boolean }
  | { readonly format: 'text' }
  /** The lines of the entries of an archive whose names fit. */
  | { readonly format: 'zip'; readonly entry: string };

export interface FileRows extends PlanNode {
  readonly kind: 'files';
  readonly form: FileForm;
  /** As written. */
  readonly path: string;
  readonly encoding: Charset;
  readonly offset: bigint;
  readonly limit?: bigint;
  /** Hidden: the position of a row in all files together. */
  readonly sequence: ColumnId;
  /** The account whose rights it has; absent: the account that runs the query. */
  readonly account?: string;
}

interface FileReading {
  /** Bytes of files below the import folders. */
  fileBytes(node: FileRows): AsyncIterable<FileBytes>;
}

export const files: PlanNodeDeclaration<FileRows, FileReading> = {
  kind: 'files',
  takes: 'no-rows',
  expressions: nothing,
  makes: ({ sequence }) => counters(sequence),
  reads: nothing,
  pushdown: 'lost',
  counts: 'counted',
  cut: ({ offset, limit }) => ({ offset, limit }),
  effect: (node) => ({ kind: 'bytes', reach: 'reads', name: node.path, open: (services) => services.fileBytes(node) }),
  sql: onlyLocal,
  local: { ...unchanged, begins: () => true },
};
