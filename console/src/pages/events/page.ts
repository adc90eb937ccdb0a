// Events: triage of what the rules have found.

import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '#console/loading/lazy-part.tsx';
import { definePage } from '#console/pages/page.ts';
import { rootRoute } from '#console/pages/root.tsx';
import { readEventsSearch } from './events-search.ts';

export const eventsPage = definePage({
  label: 'events',
  icon: 'events',
  role: 'MEMBER',
  key: 'e',
  route: createRoute({
    getParentRoute: () => rootRoute,
    path: '/events',
    validateSearch: readEventsSearch,
    component: lazyPart(() => import('./events.tsx'), 'Events'),
  }),
});
