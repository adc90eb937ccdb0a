// Files of examples: those below `/import` are really written, to a temporary folder.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { filePieces } from '#queries/imports/file-pieces.ts';
import { ImportFolders } from '#queries/imports/import-folders.ts';
import { FileRowReader } from '#query/local/file-rows.ts';
import type { FileBytes } from '#query/plan-nodes/effect.ts';
import type { FileRows } from '#query/plan-nodes/files.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { Row } from '#query/rows/row.ts';
import type { ImportPaths } from '#query/values/import-paths.ts';
import { known } from '#test/support/known-plan-node.ts';

/** The only import folder of examples. */
const FOLDER = '/import';

/** By the text alone: the folder does not exist where examples are only checked. */
export const exampleImports: ImportPaths = {
  isInside: (path) => path.startsWith(`${FOLDER}/`) || !path.startsWith('/'),
};

/** The rows of the files that a node reads. */
export async function exampleFileRows(files: Readonly<Record<string, string>>, node: PlanNode): Promise<Row[]> {
  const reader = known(node);
  if (reader.kind !== 'files') throw new Error('nothing arrives here');
  const rows = new FileRowReader(reader);
  return (await exampleFileBytes(files, reader)).flatMap((piece) => [...rows.rows(piece)]);
}

/** The pieces of the files that a node reads, by the paths of the example. */
export async function exampleFileBytes(files: Readonly<Record<string, string>>, node: FileRows): Promise<FileBytes[]> {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-import-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      const written = join(folder, path.slice(FOLDER.length));
      mkdirSync(dirname(written), { recursive: true });
      writeFileSync(written, text);
    }
    const moved = {
      ...node,
      path: node.path.startsWith('/') ? join(folder, node.path.slice(FOLDER.length)) : node.path,
    };
    const found = await Array.fromAsync(
      filePieces(moved, {
        folders: new ImportFolders([folder]),
        signal: new AbortController().signal,
        begin: async () => undefined,
      }),
    );
    return found.map((piece) => ({ ...piece, file: `${FOLDER}${piece.file.slice(folder.length)}` }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
