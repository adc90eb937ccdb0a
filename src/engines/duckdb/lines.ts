// A record as one line of the journal: our own fields first, then the fields that fit their columns, then `_rest` with
// the others. The text of a record that fits is taken over as it was sent.

import type { LogRecord } from '#engines/engine.ts';
import { scanObject } from '#kernel/json-members.ts';
import type { ColumnRegistry } from './columns.ts';

export function columnarLine({ text, time, shape }: LogRecord, id: number, registry: ColumnRegistry): string {
  const misfits = registry.misfits(shape);
  const own = `{"_id":${id},"_time":${time}`;
  if (misfits.length === 0) return shape.names.length === 0 ? `${own}}\n` : `${own},${text.slice(1)}\n`;
  const apart = new Set<string>(misfits);
  const kept: string[] = [];
  const rest: string[] = [];
  for (const [key, source] of scanObject(text).members) {
    (apart.has(JSON.parse(key)) ? rest : kept).push(`${key}:${source}`);
  }
  return `${[own, ...kept, `"_rest":{${rest.join(',')}}`].join(',')}}\n`;
}

/** The row layout keeps the record whole. */
export const rowLine = ({ text, time }: LogRecord, id: number): string =>
  `{"_id":${id},"_time":${time},"_doc":${text}}\n`;
