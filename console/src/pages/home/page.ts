// Home: what happened in the last day.

import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '#console/loading/lazy-part.tsx';
import { definePage } from '#console/pages/page.ts';
import { rootRoute } from '#console/pages/root.tsx';

export const homePage = definePage({
  label: 'home',
  icon: 'home',
  role: 'MEMBER',
  key: 'h',
  route: createRoute({
    getParentRoute: () => rootRoute,
    path: '/',
    component: lazyPart(() => import('./home.tsx'), 'Home'),
  }),
});
