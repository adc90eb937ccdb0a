// Administration: accounts, keys, groups, profiles, lookups, parsers, running queries, settings.

import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '#console/loading/lazy-part.tsx';
import { definePage } from '#console/pages/page.ts';
import { rootRoute } from '#console/pages/root.tsx';
import { readAdministrationSearch } from './address.ts';

export const administrationPage = definePage({
  label: 'administration',
  icon: 'settings',
  // A member has keys, queries and lookups of its own; each part says the role that it needs.
  role: 'MEMBER',
  key: 'a',
  route: createRoute({
    getParentRoute: () => rootRoute,
    path: '/administration',
    validateSearch: readAdministrationSearch,
    component: lazyPart(() => import('./administration.tsx'), 'Administration'),
  }),
});
