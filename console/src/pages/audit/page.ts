// Audit: who did what, and the proof that the trail is whole.

import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '#console/loading/lazy-part.tsx';
import { definePage } from '#console/pages/page.ts';
import { rootRoute } from '#console/pages/root.tsx';
import { readAuditSearch } from './audit-search.ts';

export const auditPage = definePage({
  label: 'audit',
  icon: 'audit',
  role: 'MASTER',
  key: 'u',
  route: createRoute({
    getParentRoute: () => rootRoute,
    path: '/audit',
    validateSearch: readAuditSearch,
    component: lazyPart(() => import('./audit.tsx'), 'Audit'),
  }),
});
