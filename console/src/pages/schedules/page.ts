// Schedules: queries that run at their times or one after the other, and what became of every slot.

import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '#console/loading/lazy-part.tsx';
import { definePage } from '#console/pages/page.ts';
import { rootRoute } from '#console/pages/root.tsx';
import { readSchedulesSearch } from './schedules-search.ts';

export const schedulesPage = definePage({
  label: 'schedules',
  icon: 'schedules',
  role: 'ADMIN',
  key: 'l',
  route: createRoute({
    getParentRoute: () => rootRoute,
    path: '/schedules',
    validateSearch: readSchedulesSearch,
    component: lazyPart(() => import('./schedules.tsx'), 'Schedules'),
  }),
});
