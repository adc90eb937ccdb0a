// The fields of a log record of OpenTelemetry that are neither its body nor attributes, and the names that all of its
// parts get in a record of a table.

import type { SenderRequest } from '#senders/decoded.ts';
import type { RecordText } from '#senders/records/record-text.ts';
import { mappedName } from '#senders/tables/table-names.ts';

/** As they came; absent, empty and 0 are alike. Filled field by field while a record is read. */
export interface LogFields {
  /** Epoch milliseconds; undefined where it is 0. */
  time: number | undefined;
  observedTime: number | undefined;
  severityNumber: number;
  severityText: string;
  /** Hexadecimal. */
  traceId: string;
  spanId: string;
  flags: number;
  eventName: string;
  droppedAttributes: number;
}

/** The resource attribute that names a table, and the one that may. */
export const TABLE_ATTRIBUTE = Buffer.from('vigil.table');
export const SERVICE_ATTRIBUTE = Buffer.from('service.name');

export const LINE = Buffer.from('line');
export const BODY = Buffer.from('body');
export const SCOPE_NAME = Buffer.from('scope.name');
export const SCOPE_VERSION = Buffer.from('scope.version');

export const BODY_PREFIX = Buffer.from('body.');
export const ATTRIBUTE_PREFIX = Buffer.from('attr.');
export const RESOURCE_PREFIX = Buffer.from('resource.');
export const SCOPE_PREFIX = Buffer.from('scope.');

const OBSERVED_TIME = Buffer.from('observed_time');
const SEVERITY_NUMBER = Buffer.from('severity_number');
const SEVERITY_TEXT = Buffer.from('severity_text');
const TRACE_ID = Buffer.from('trace_id');
const SPAN_ID = Buffer.from('span_id');
const TRACE_FLAGS = Buffer.from('trace_flags');
const EVENT_NAME = Buffer.from('event_name');
const DROPPED_ATTRIBUTES = Buffer.from('dropped_attributes_count');

/** Each stands for four numbers of severity. */
const SEVERITIES = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];

export const noFields = (): LogFields => ({
  time: undefined,
  observedTime: undefined,
  severityNumber: 0,
  severityText: '',
  traceId: '',
  spanId: '',
  flags: 0,
  eventName: '',
  droppedAttributes: 0,
});

/** The service counts only where the operator has mapped it. */
export function tableNameOf(
  table: string | undefined,
  service: string | undefined,
  { mappings }: SenderRequest,
): string | undefined {
  if (table) return table;
  return service !== undefined && mappedName(service, mappings) !== undefined ? service : undefined;
}

/** Before the body and the attributes: these give way to them. */
export function writeLogFields(record: RecordText, fields: LogFields, arrival: number): void {
  const { time, observedTime, severityNumber } = fields;
  record.time(time ?? observedTime ?? arrival);
  if (time !== undefined && observedTime !== undefined) {
    record.ownName(OBSERVED_TIME);
    record.ascii(`{"$date":${observedTime}}`);
  }
  writeNumber(record, SEVERITY_NUMBER, severityNumber);
  writeText(record, SEVERITY_TEXT, fields.severityText || (SEVERITIES[(severityNumber - 1) >> 2] ?? ''));
  writeText(record, TRACE_ID, withoutZeros(fields.traceId));
  writeText(record, SPAN_ID, withoutZeros(fields.spanId));
  writeNumber(record, TRACE_FLAGS, fields.flags);
  writeText(record, EVENT_NAME, fields.eventName);
  writeNumber(record, DROPPED_ATTRIBUTES, fields.droppedAttributes);
}

function writeNumber(record: RecordText, name: Uint8Array, value: number): void {
  if (value === 0) return;
  record.ownName(name);
  record.number(value);
}

function writeText(record: RecordText, name: Uint8Array, value: string): void {
  if (value === '') return;
  record.ownName(name);
  record.string(value);
}

/** An id of zeros alone stands for none. */
const withoutZeros = (id: string): string => (/^0*$/.test(id) ? '' : id);
