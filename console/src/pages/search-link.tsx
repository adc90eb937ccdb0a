// A link to Search with a query and a time range.

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TimeRange } from '#console/time/ranges.ts';

interface SearchLinkProps {
  readonly query: string;
  readonly range: TimeRange;
  readonly title?: string;
  readonly children: ReactNode;
}

export const SearchLink = ({ query, range: { from, to }, title, children }: SearchLinkProps) => (
  <Link to="/search" search={{ q: query, from, to }} {...(title === undefined ? {} : { title })}>
    {children}
  </Link>
);
