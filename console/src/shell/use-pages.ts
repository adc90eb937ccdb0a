// The pages, from the router: the shell is imported by the root route, so that it cannot import the list.

import { createContext, use } from 'react';
import type { Page } from '#console/pages/page.ts';

const PagesContext = createContext<readonly Page[]>([]);
export const PagesProvider = PagesContext.Provider;
export const usePages = (): readonly Page[] => use(PagesContext);
