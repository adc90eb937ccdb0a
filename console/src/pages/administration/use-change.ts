// Changes of the address of the page.

import { getRouteApi } from '@tanstack/react-router';
import { useAddress } from '#console/address/use-address.ts';
import type { AdministrationSearch } from './address.ts';

const route = getRouteApi('/administration');

export const useSearch = (): AdministrationSearch => route.useSearch();

/** What is undefined leaves the address. */
export const useChange = (): ((changed: AdministrationSearch) => void) =>
  useAddress<AdministrationSearch>(route).change;
