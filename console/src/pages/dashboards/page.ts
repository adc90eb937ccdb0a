// Dashboards: panels of queries side by side, arranged and shared.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
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
    component: lazyRouteComponent(() => import('./dashboards.tsx'), 'Dashboards'),
  }),
});
