// A link from an entry to the page of the object that it is about, where there is one.

import { Link, linkOptions } from '@tanstack/react-router';
import type { Labels } from '#console/labels/en.ts';
import { useLabels } from '#console/labels/labels.tsx';
import type { FamilyId } from '#console/pages/administration/address.ts';
import { SearchLink } from '#console/pages/search-link.tsx';
import { LAST_HOUR } from '#console/time/ranges.ts';
import type { AuditEntry } from './audit-search.ts';
import { objectKeyOf } from './entry-changes.ts';

export function ObjectLink({ entry }: { readonly entry: AuditEntry }) {
  const { audit: labels, pages } = useLabels();
  const query = queryOf(entry);
  if (query !== undefined) {
    return (
      <SearchLink query={query} range={LAST_HOUR}>
        {labels.open.search}
      </SearchLink>
    );
  }
  const key = objectKeyOf(entry);
  const target = key === undefined || entry.method === 'remove' ? undefined : targetOf(entry, key);
  return target && <Link {...target.link}>{labels.open.page(pages[target.page])}</Link>;
}

/** The text of a query that was run. A long one is cut in the trail and cannot be run again from there. */
function queryOf({ module, method, params }: AuditEntry): string | undefined {
  const isRun = (module === 'cursors' && method === 'create') || (module === 'query' && method === 'run');
  const text = params?.q;
  return isRun && typeof text === 'string' && text.length < MAX_STORED ? text : undefined;
}

/** Texts of entries are cut at this length. */
const MAX_STORED = 2000;

/** Families of Administration, by the modules of entries. */
const FAMILIES: Readonly<Record<string, FamilyId>> = {
  users: 'users',
  'user-groups': 'groups',
  companies: 'companies',
  'address-groups': 'address-groups',
  'alarm-groups': 'alarm-groups',
  'ticket-repos': 'ticket-repos',
  'rule-categories': 'rule-categories',
  'crypto-profiles': 'crypto-profiles',
  'connection-profiles': 'connection-profiles',
  lookups: 'lookups',
  datasets: 'datasets',
  procedures: 'procedures',
  'table-groups': 'table-groups',
  'log-schemas': 'log-schemas',
  'logger-models': 'logger-models',
  'logger-groups': 'logger-groups',
  'audit-categories': 'audit-categories',
  parsers: 'parsers',
};

function targetOf({ module }: AuditEntry, key: string) {
  const to = <L,>(page: keyof Labels['pages'], link: L) => ({ page, link });
  switch (module) {
    case 'tickets':
      return to('tickets', linkOptions({ to: '/tickets', search: { ticket: key } }));
    case 'events':
      return to('events', linkOptions({ to: '/events', search: { event: key } }));
    case 'batch-rules':
      return to('rules', linkOptions({ to: '/rules', search: { rule: key, of: 'batch' } }));
    case 'stream-rules':
      return to('rules', linkOptions({ to: '/rules', search: { rule: key, of: 'stream' } }));
    case 'scheduled-queries':
      return to('schedules', linkOptions({ to: '/schedules', search: { schedule: key } }));
    case 'dashboards':
      return to('dashboards', linkOptions({ to: '/dashboards', search: { dashboard: key } }));
    case 'loggers':
      return to('sources', linkOptions({ to: '/sources', search: { logger: key } }));
    case 'tables':
      return to('tables', linkOptions({ to: '/tables', search: { table: key } }));
    default: {
      const family = FAMILIES[module];
      const search = { family, record: key };
      return family && to('administration', linkOptions({ to: '/administration', search }));
    }
  }
}
