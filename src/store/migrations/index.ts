// The numbered migrations, oldest first: the only list of them. A migration that has been released never changes.

import { access } from './0001-access.ts';
import { auditTrail } from './0002-audit-trail.ts';
import { logTables } from './0003-log-tables.ts';
import { uploadStreams } from './0004-upload-streams.ts';
import { cryptoProfiles } from './0005-crypto-profiles.ts';
import { liveQueries } from './0006-live-queries.ts';
import { scheduledQueries } from './0007-scheduled-queries.ts';
import { referencedObjects } from './0008-referenced-objects.ts';
import { rules } from './0009-rules.ts';
import { events } from './0010-events.ts';
import { collectors } from './0011-collectors.ts';
import { logsKeeper } from './0012-logs-keeper.ts';
import { datasetAuthors } from './0013-dataset-authors.ts';
import { failures } from './0014-failures.ts';
import { sealedTexts } from './0015-sealed-texts.ts';
import { writerMarks } from './0017-writer-marks.ts';
import { connectionProfiles } from './0018-connection-profiles.ts';
import { lookups } from './0019-lookups.ts';
import { parsers } from './0020-parsers.ts';
import { segmentCodecs } from './0021-segment-codecs.ts';
import { indexBytes } from './0022-index-bytes.ts';
import { auditGrams } from './0023-audit-grams.ts';
import { keyScopes } from './0024-key-scopes.ts';
import { silentSources } from './0025-silent-sources.ts';
import { eventStatus } from './0026-event-status.ts';
import { timeZones } from './0028-time-zones.ts';
import { preferences } from './0029-preferences.ts';
import { signInCodes } from './0030-sign-in-codes.ts';
import { repeatedQueries } from './0031-repeated-queries.ts';
import { dashboards } from './0032-dashboards.ts';
import { clickhouseTables } from './0040-clickhouse-tables.ts';
import { clickhouseShards } from './0041-clickhouse-shards.ts';
import { nodes } from './0042-nodes.ts';
import { tableMoves } from './0043-table-moves.ts';
import { severalServices } from './0044-several-services.ts';
import { changes } from './0045-changes.ts';
import { owners } from './0046-owners.ts';
import { lookupContents } from './0047-lookup-contents.ts';
import { unusualNames } from './0049-unusual-names.ts';
import { otherForms } from './0050-other-forms.ts';
import { fileTails } from './0051-file-tails.ts';
import { slotWindows } from './0052-slot-windows.ts';
import { recordBytes } from './0053-record-bytes.ts';
import { alarmSubjects } from './0054-alarm-subjects.ts';
import { unraisedFindings } from './0055-unraised-findings.ts';
import { countedEntries } from './0056-counted-entries.ts';
import { writtenCounts } from './0057-written-counts.ts';
import { countedRecords } from './0058-counted-records.ts';
import { segmentForms } from './0059-segment-forms.ts';
import { leafColumns } from './0060-leaf-columns.ts';
import { commands } from './0061-commands.ts';
import type { Migration } from './migration.ts';

export const migrations: readonly Migration[] = [
  access,
  auditTrail,
  logTables,
  uploadStreams,
  cryptoProfiles,
  liveQueries,
  scheduledQueries,
  referencedObjects,
  rules,
  events,
  collectors,
  logsKeeper,
  datasetAuthors,
  failures,
  sealedTexts,
  writerMarks,
  connectionProfiles,
  lookups,
  parsers,
  segmentCodecs,
  indexBytes,
  auditGrams,
  keyScopes,
  silentSources,
  eventStatus,
  timeZones,
  preferences,
  signInCodes,
  repeatedQueries,
  dashboards,
  clickhouseTables,
  clickhouseShards,
  nodes,
  tableMoves,
  severalServices,
  changes,
  owners,
  lookupContents,
  unusualNames,
  otherForms,
  fileTails,
  slotWindows,
  recordBytes,
  alarmSubjects,
  unraisedFindings,
  countedEntries,
  writtenCounts,
  countedRecords,
  segmentForms,
  leafColumns,
  commands,
];
