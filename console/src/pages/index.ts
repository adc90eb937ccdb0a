// The list of pages, in the order of the navigation.

import type { AnyRoute } from '@tanstack/react-router';
import { administrationPage } from './administration/page.ts';
import { auditPage } from './audit/page.ts';
import { dashboardsPage } from './dashboards/page.ts';
import { eventsPage } from './events/page.ts';
import { homePage } from './home/page.ts';
import type { Page } from './page.ts';
import { rootRoute } from './root.tsx';
import { rulesPage } from './rules/page.ts';
import { schedulesPage } from './schedules/page.ts';
import { searchPage } from './search/page.ts';
import { sourcesPage } from './sources/page.ts';
import { tablesPage } from './tables/page.ts';
import { ticketsPage } from './tickets/page.ts';

const listed = [
  // To look.
  homePage,
  searchPage,
  eventsPage,
  dashboardsPage,
  // To work with.
  rulesPage,
  schedulesPage,
  sourcesPage,
  tablesPage,
  ticketsPage,
  // To administer.
  auditPage,
  administrationPage,
] as const;

export const pages: readonly Page[] = listed;

type RoutesOf<P extends readonly Page<AnyRoute>[]> = { -readonly [K in keyof P]: P[K]['route'] };

// `map` forgets the places of a tuple.
export const routeTree = rootRoute.addChildren(listed.map(({ route }) => route) as RoutesOf<typeof listed>);
