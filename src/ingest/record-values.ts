// The values of a record, as a query over the stored table would see them.

import type { LogRecord } from '#engines/engine.ts';
import { strictJson } from '#query/evaluate/strict-json.ts';
import type { MapValue } from '#query/values.ts';

/** Without its time. */
export function valuesOf({ text }: LogRecord): MapValue {
  const values = strictJson(text);
  if (values instanceof Map) return values;
  throw new Error('the text of a record is no JSON object');
}
