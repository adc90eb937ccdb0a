// A link from an entry to the page of the object that it is about, where there is one.

import { Link } from '@tanstack/react-router';
import { useLabels } from '#console/labels/labels.tsx';
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
  if (key === undefined || entry.method === 'remove') return undefined;
  if (entry.module === 'tickets') {
    return (
      <Link to="/tickets" search={{ ticket: key }}>
        {labels.open.page(pages.tickets)}
      </Link>
    );
  }
  if (entry.module === 'events') {
    return (
      <Link to="/events" search={{ event: key }}>
        {labels.open.page(pages.events)}
      </Link>
    );
  }
  return undefined;
}

/** The text of a query that was run. A long one is cut in the trail and cannot be run again from there. */
function queryOf({ module, method, params }: AuditEntry): string | undefined {
  const isRun = (module === 'cursors' && method === 'create') || (module === 'query' && method === 'run');
  const text = params?.q;
  return isRun && typeof text === 'string' && text.length < MAX_STORED ? text : undefined;
}

/** Texts of entries are cut at this length. */
const MAX_STORED = 2000;
