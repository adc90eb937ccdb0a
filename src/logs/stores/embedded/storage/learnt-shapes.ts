// The shapes of the records that a segment is made of: a sample of them shows the usual ones.

import type { Instance } from '#logs/runs/duckdb/instance.ts';
import type { ColumnRegistry } from '#logs/stores/shared/columns.ts';
import { type FoundShape, type LeafShape, pathKey, shapeOf } from '#logs/stores/shared/leaves.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import type { Content } from './segment-file.ts';

/** Of a segment. */
const SAMPLED_ROWS = 1024;
/** Longer objects are left as they are. */
const MAX_TEXT = 16_384;
/** A shape that fewer of the sampled records have is not taken into columns. */
const MIN_RECORDS = 16;

/** A table has no usual shapes where none of the first so many texts has been seen so often. */
const FIRST_TEXTS = 256;
const FIRST_RECORDS = 4;

const SLICE_TEXTS = 64;

/** Those that are worth a look at each record, the usual ones first; new ones are learnt. */
export async function learntShapes(
  instance: Instance,
  { source, rows }: Pick<Content, 'source' | 'rows'>,
  registry: Pick<ColumnRegistry, 'learnShapes'>,
): Promise<LeafShape[]> {
  const every = Math.ceil(rows / SAMPLED_ROWS);
  const sampled = await instance.run(
    `select _rest::varchar as rest, count(*)::double as total from (${source})
     where _rest is not null and hash(_id) % ${every} = 0 and strlen(_rest) <= ${MAX_TEXT} group by all order by min(_id)`,
  );
  const usual = new Map<string, UsualShape>();
  for (const [index, { rest, total }] of sampled.entries()) {
    if (index % SLICE_TEXTS === SLICE_TEXTS - 1) await eventLoop.nextSlot();
    if (index === FIRST_TEXTS && usual.values().every(({ records }) => records < FIRST_RECORDS)) return [];
    const shape = shapeOf(String(rest));
    if (!shape) continue;
    const key = JSON.stringify(shape.pieces);
    const known = usual.get(key) ?? { pieces: shape.pieces, leaves: new Map(), records: 0 };
    usual.set(key, known);
    known.records += Number(total);
    for (const leaf of shape.leaves) known.leaves.set(`${leaf.type}${pathKey(leaf.path)}`, leaf);
  }
  const found = [...usual.values()]
    .filter(({ records }) => records >= MIN_RECORDS)
    .sort((a, b) => b.records - a.records);
  return registry.learnShapes(found.map(({ pieces, leaves }) => ({ pieces, leaves: [...leaves.values()] })));
}

interface UsualShape extends Pick<FoundShape, 'pieces'> {
  readonly leaves: Map<string, FoundShape['leaves'][number]>;
  records: number;
}
