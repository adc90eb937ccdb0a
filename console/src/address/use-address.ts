// The address of a page as its state: what stands in it, and how a page changes it.

import { changed } from './address.ts';

/** Of the router, for one page. */
interface AddressRoute<S> {
  useSearch(): S;
  useNavigate(): (to: { readonly search: (before: S) => S; readonly replace: boolean }) => Promise<void>;
}

export interface Address<S> {
  readonly search: S;
  /** Undefined takes a value out of the address. */
  change(change: Partial<S>): void;
}

/** `steps` are the values whose change can be taken back in the browser; by default that is every one. */
export function useAddress<S extends object>(route: AddressRoute<S>, steps?: readonly (keyof S)[]): Address<S> {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return {
    search,
    change: (change) =>
      void navigate({
        search: (before) => changed(before, change),
        replace: steps !== undefined && !steps.some((name) => name in change),
      }),
  };
}
