// The shapes of the values that a segment is made of: a sample of them shows the usual ones.

import { nameOf, scanObject } from '#kernel/json/json-members.ts';
import type { Instance } from '#logs/runs/duckdb/instance.ts';
import type { ColumnRegistry } from '#logs/stores/shared/columns.ts';
import type { KnownShape } from '#logs/stores/shared/leaves.ts';
import { MAX_SHAPE_TEXT, UsualShapes } from '#logs/usual-shapes.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import type { Content } from './segment-file.ts';

/** Of a segment. */
const SAMPLED_ROWS = 1024;
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
): Promise<KnownShape[]> {
  const every = Math.ceil(rows / SAMPLED_ROWS);
  const sampled = await instance.run(
    `select _rest::varchar as rest, count(*)::double as total from (${source})
     where _rest is not null and hash(_id) % ${every} = 0 and strlen(_rest) <= ${MAX_SHAPE_TEXT} group by all order by min(_id)`,
  );
  const usual = new UsualShapes();
  for (const [index, { rest, total }] of sampled.entries()) {
    if (index % SLICE_TEXTS === SLICE_TEXTS - 1) await eventLoop.nextSlot();
    if (index === FIRST_TEXTS && usual.mostRecords < FIRST_RECORDS) return [];
    for (const [key, value] of scanObject(String(rest)).members) usual.add(nameOf(key), value, Number(total));
  }
  return registry.learnShapes(usual.withRecords(MIN_RECORDS));
}
