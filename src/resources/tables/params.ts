// Parameters of tables with their own errors.

import { missing, notStorageChoice, wrongTableName } from '#contract/errors.ts';
import { MAX_TABLE_NAME, TABLE_DEFAULTS, TABLE_NAME } from '#ingest/pushes/new-table.ts';
import { COMPRESSIONS, LAYOUTS } from '#logs/log-store.ts';
import { expectEvery } from '#objects/expectations.ts';
import { described } from '#operations/described.ts';
import {
  alongside,
  anyText,
  flag,
  guid,
  int,
  oneOf,
  orElse,
  required,
  text,
  textLike,
} from '#operations/params/params.ts';

/** The name in paths. An invalid name is not found. */
export const table = required(anyText, 'Name of the table.');

/** Days; 0 keeps everything. */
export const days = int(0n, 36_500n);

export const schemaCode = described(text(50), 'Code of the log schema of the records.');

const EXPECT_EVERY = 'Seconds without a record after which an alarm is raised; 0 for none.';

export const expectEveryOrKept = described(expectEvery, EXPECT_EVERY);

export const alarmGroup = described(
  guid,
  'GUID of the alarm group for it; without one the setting `failure-alarm-group` counts.',
);

export const newTable = {
  table: required(
    textLike(MAX_TABLE_NAME, TABLE_NAME, wrongTableName),
    'Name of the new table: a letter, then letters, digits and underscores.',
  ),
  compression: orElse(
    oneOf(COMPRESSIONS, notStorageChoice),
    TABLE_DEFAULTS.compression,
    'Class of codecs of the stored files: `snappy` is the fast one (LZ4), `deflate` the dense one (ZSTD).',
  ),
  layout: orElse(oneOf(LAYOUTS, notStorageChoice), TABLE_DEFAULTS.layout, 'Layout of the stored files.'),
  crypto_profile_guid: described(
    guid,
    'GUID of the crypto profile; without `encryption` it only authenticates the stored files.',
  ),
  encryption: described(
    alongside(orElse(flag, false), (isWanted, { crypto_profile_guid }) => {
      if (isWanted && crypto_profile_guid === undefined) throw missing('crypto_profile_guid');
    }),
    'Whether the stored files are encrypted with the crypto profile.',
  ),
  retention: orElse(days, TABLE_DEFAULTS.retention, 'Days that records are kept; 0 keeps them without limit.'),
  group_guid: described(guid, 'GUID of the table group.'),
  schema_code: schemaCode,
  expect_every: orElse(expectEvery, 0, EXPECT_EVERY),
  alarm_group_guid: alarmGroup,
};
