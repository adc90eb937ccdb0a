// Parameters of tables with their own errors.

import { missing, notStorageChoice, wrongTableName } from '#contract/errors.ts';
import { COMPRESSIONS, LAYOUTS } from '#engines/engine.ts';
import { alongside, anyText, flag, guid, int, oneOf, orElse, required, text, textLike } from '#http/params.ts';

/** The name in paths. An invalid name is not found. */
export const table = required(anyText);

/** Days; 0 keeps everything. */
export const days = int(0n, 36_500n);

export const schemaCode = text(50);

export const newTable = {
  table: required(textLike(50, /^[A-Za-z][A-Za-z0-9_]*$/, wrongTableName)),
  compression: orElse(oneOf(COMPRESSIONS, notStorageChoice), 'snappy'),
  layout: orElse(oneOf(LAYOUTS, notStorageChoice), 'columnar'),
  crypto_profile_guid: guid,
  encryption: alongside(orElse(flag, false), (isWanted, { crypto_profile_guid }) => {
    if (isWanted && crypto_profile_guid === undefined) throw missing('crypto_profile_guid');
  }),
  retention: orElse(days, 0),
  group_guid: guid,
  schema_code: schemaCode,
};
