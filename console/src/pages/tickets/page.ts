// Tickets: the work on events, from the first report to the approval.

import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '#console/loading/lazy-part.tsx';
import { definePage } from '#console/pages/page.ts';
import { rootRoute } from '#console/pages/root.tsx';
import { readTicketsSearch } from './tickets-search.ts';

export const ticketsPage = definePage({
  label: 'tickets',
  icon: 'tickets',
  role: 'MEMBER',
  key: 'k',
  route: createRoute({
    getParentRoute: () => rootRoute,
    path: '/tickets',
    validateSearch: readTicketsSearch,
    component: lazyPart(() => import('./tickets.tsx'), 'Tickets'),
  }),
});
