// What an entry changed: the values of an earlier entry of the same object beside its own.

import { useQuery } from '@tanstack/react-query';
import { call } from '#console/client/call.ts';
import { toStamp } from '#console/time/moments.ts';
import type { AuditEntry } from './audit-search.ts';

/** Methods that set values of an object that is there already. */
const CHANGING = ['update', 'retain', 'set-priority', 'set-incident', 'report', 'decide', 'status'];
/** Earlier entries that are looked at. */
const LOOKED_AT = 100;

/** Values that name the object and do not change. */
const KEYS = ['guid', 'code', 'table', 'guids'];

export const isChange = ({ method, error }: AuditEntry): boolean => CHANGING.includes(method) && error === undefined;

/** The key of the object of an entry; undefined where it has none, or several. */
export function objectKeyOf({ params, msg_params }: AuditEntry): string | undefined {
  for (const values of [params, msg_params]) {
    for (const name of ['guid', 'code', 'table', 'token']) {
      const value = values?.[name];
      if (typeof value === 'string' && value !== '') return value;
    }
  }
  const guids = params?.guids;
  return typeof guids === 'string' && !guids.includes(',') ? guids : undefined;
}

/** The newest earlier entry that set the same values of the same object; null where there is none. */
export async function entryBefore(entry: AuditEntry): Promise<AuditEntry | null> {
  const key = objectKeyOf(entry);
  const { module, method, id } = entry;
  const { audit_logs } = await call('GET /api/core/audit-logs', {
    keywords: [key ?? ''],
    actions: [`${module}.create`, `${module}.${method}`],
    to: toStamp(entry.created_at),
    limit: LOOKED_AT,
  });
  return audit_logs.find((other) => other.id < id && other.error === undefined && objectKeyOf(other) === key) ?? null;
}

export const useEntryBefore = (entry: AuditEntry) =>
  useQuery({
    queryKey: ['GET /api/core/audit-logs', 'before', entry.id],
    queryFn: () => entryBefore(entry),
    enabled: isChange(entry) && objectKeyOf(entry) !== undefined,
  });

export interface Change {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly isChanged: boolean;
}

/** One row for each value that the entry sets. */
export function changesOf(entry: AuditEntry, before: AuditEntry | null): readonly Change[] {
  const { name, new_name } = entry.msg_params ?? {};
  const rows = Object.entries(entry.params ?? {})
    .filter(([param]) => !KEYS.includes(param))
    .map(([param, after]) => changeOf(param, before?.params?.[param], after));
  if (new_name === undefined || rows.some((row) => row.name === 'name' && row.before !== undefined)) return rows;
  return [changeOf('name', name, new_name), ...rows.filter((row) => row.name !== 'name')];
}

const changeOf = (name: string, before: unknown, after: unknown): Change => ({
  name,
  before,
  after,
  isChanged: JSON.stringify(before) !== JSON.stringify(after),
});
