// Rows of a driver that come from outside of the engine (15.10), written line by line to a file that a statement loads.

import type { NamelessFile } from '#files/nameless.ts';
import { writeWhole } from '#files/whole.ts';
import type { Column } from '#query/model/columns.ts';
import type { MapValue } from '#query/model/values.ts';
import { declarationOf, effectOf, inputsOf } from '#query/plan-nodes/facts.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import { taggedJson } from '#query/rows/tagged-json.ts';
import { eventLoop } from '#runtime/event-loop.ts';

/** The nodes below a node, or the node itself, whose rows come from outside and are loaded by a statement. */
export function driversIn(root: PlanNode): PlanNode[] {
  const isDriver = effectOf(root)?.kind === 'rows' && !declarationOf(root).local;
  return [...(isDriver ? [root] : []), ...inputsOf(root).flatMap(driversIn)];
}

/** Writes all rows; returns the bytes of the longest line. The next rows are asked for when those before are written. */
export async function writeRows(
  file: NamelessFile,
  { rows: { columns } }: PlanNode,
  blocks: AsyncIterable<readonly MapValue[]>,
): Promise<number> {
  let longest = 0;
  let size = 0;
  for await (const block of blocks) {
    // The rows of a block may be large: a few at a time.
    const lines = await eventLoop.runInSlots(linesOf(block, columns));
    longest = Math.max(longest, lines.longest);
    await writeWhole(file.handle, lines.bytes, size);
    size += lines.bytes.length;
  }
  return longest;
}

/** In the order of the columns, which are all that the rows of such a driver have. */
function* linesOf(block: readonly MapValue[], columns: readonly Column[]) {
  const lines: Buffer[] = [];
  let longest = 0;
  for (const row of block) {
    const line = Buffer.from(`[${columns.map(({ name }) => taggedJson(row.get(name) ?? null)).join(',')}]\n`);
    longest = Math.max(longest, line.length);
    lines.push(line);
    yield;
  }
  return { bytes: Buffer.concat(lines), longest };
}
