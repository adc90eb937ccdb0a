// Sources: the loggers with their state, files that are uploaded, and the way to a first log.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { definePage } from '#console/pages/page.ts';
import { rootRoute } from '#console/pages/root.tsx';
import { readSourcesSearch } from './sources-search.ts';

export const sourcesPage = definePage({
  label: 'sources',
  icon: 'sources',
  role: 'MEMBER',
  key: 'o',
  route: createRoute({
    getParentRoute: () => rootRoute,
    path: '/sources',
    validateSearch: readSourcesSearch,
    component: lazyRouteComponent(() => import('./sources.tsx'), 'Sources'),
  }),
});
