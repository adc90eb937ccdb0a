// A record as one line of the journal: our own fields first, then the fields that fit their columns, then `_rest` with
// the others. The text of a record that fits is taken over as it was sent.

import type { LogRecord } from '#engines/engine.ts';
import { scanObject } from '#kernel/json-members.ts';
import { type ColumnRegistry, RESERVED } from './columns.ts';

export function columnarLine(record: LogRecord, id: number, registry: ColumnRegistry): string {
  const { fields, text, time } = record;
  const reserved = RESERVED.filter((name) => Object.hasOwn(fields, name));
  const misfits = registry.misfits(fields).filter((name) => !isReserved(name));
  const own = `{"_id":${id},"_time":${time}`;
  if (misfits.length === 0 && reserved.length === 0) return text === '{}' ? `${own}}\n` : `${own},${text.slice(1)}\n`;
  const apart = new Set<string>(misfits);
  const kept: string[] = [];
  const rest: string[] = [];
  for (const [key, source] of scanObject(text).members) {
    const name = JSON.parse(key);
    if (isReserved(name)) continue;
    (apart.has(name) ? rest : kept).push(`${key}:${source}`);
  }
  if (rest.length > 0) kept.push(`"_rest":{${rest.join(',')}}`);
  return kept.length === 0 ? `${own}}\n` : `${own},${kept.join(',')}}\n`;
}

/** The row layout keeps the record whole. */
export const rowLine = ({ text, time }: LogRecord, id: number): string =>
  `{"_id":${id},"_time":${time},"_doc":${text}}\n`;

const isReserved = (name: string): boolean => RESERVED.some((reserved) => reserved === name);
