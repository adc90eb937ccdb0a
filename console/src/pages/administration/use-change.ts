// Changes of the address of the page.

import { getRouteApi } from '@tanstack/react-router';
import type { AdministrationSearch } from './address.ts';

const route = getRouteApi('/administration');

export const useSearch = (): AdministrationSearch => route.useSearch();

/** What is undefined leaves the address. */
export function useChange(): (changed: AdministrationSearch) => void {
  const navigate = route.useNavigate();
  return (changed) => void navigate({ search: (before) => ({ ...before, ...changed }) });
}
