// Rules: what is looked for, tested before it is in force, with every version that it had.

import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '#console/loading/lazy-part.tsx';
import { definePage } from '#console/pages/page.ts';
import { rootRoute } from '#console/pages/root.tsx';
import { readRulesSearch } from './rules-search.ts';

export const rulesPage = definePage({
  label: 'rules',
  icon: 'rules',
  role: 'MEMBER',
  key: 'r',
  route: createRoute({
    getParentRoute: () => rootRoute,
    path: '/rules',
    validateSearch: readRulesSearch,
    component: lazyPart(() => import('./rules.tsx'), 'Rules'),
  }),
});
