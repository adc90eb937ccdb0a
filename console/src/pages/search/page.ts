// Search: queries over the logs.

import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '#console/loading/lazy-part.tsx';
import { definePage } from '#console/pages/page.ts';
import { rootRoute } from '#console/pages/root.tsx';
import { readAddress } from './address.ts';

export const searchPage = definePage({
  label: 'search',
  icon: 'search',
  role: 'MEMBER',
  key: 's',
  route: createRoute({
    getParentRoute: () => rootRoute,
    path: '/search',
    validateSearch: readAddress,
    component: lazyPart(() => import('./search.tsx'), 'Search'),
  }),
});
