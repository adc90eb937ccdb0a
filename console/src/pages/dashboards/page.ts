// Dashboards: panels of queries side by side, arranged and shared.

import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '#console/loading/lazy-part.tsx';
import { definePage } from '#console/pages/page.ts';
import { rootRoute } from '#console/pages/root.tsx';
import { readDashboardsSearch } from './dashboards-search.ts';

export const dashboardsPage = definePage({
  label: 'dashboards',
  icon: 'dashboards',
  role: 'MEMBER',
  key: 'd',
  route: createRoute({
    getParentRoute: () => rootRoute,
    path: '/dashboards',
    validateSearch: readDashboardsSearch,
    component: lazyPart(() => import('./dashboards.tsx'), 'Dashboards'),
  }),
});
