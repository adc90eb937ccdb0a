// Tables: what is stored, for how long, and for whom.

import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '#console/loading/lazy-part.tsx';
import { definePage } from '#console/pages/page.ts';
import { rootRoute } from '#console/pages/root.tsx';
import { readTablesSearch } from './tables-search.ts';

export const tablesPage = definePage({
  label: 'tables',
  icon: 'tables',
  role: 'MEMBER',
  key: 't',
  route: createRoute({
    getParentRoute: () => rootRoute,
    path: '/tables',
    validateSearch: readTablesSearch,
    component: lazyPart(() => import('./tables.tsx'), 'Tables'),
  }),
});
