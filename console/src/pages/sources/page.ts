// Sources: the loggers with their state, files that are uploaded, and the way to a first log.

import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '#console/loading/lazy-part.tsx';
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
    component: lazyPart(() => import('./sources.tsx'), 'Sources'),
  }),
});
