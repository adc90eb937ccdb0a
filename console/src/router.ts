// The router: addresses of the browser to pages, with typed search parameters.

import { createRouter } from '@tanstack/react-router';
import { routeTree } from './pages/index.ts';

export const createConsoleRouter = () =>
  createRouter({ routeTree, defaultPreload: 'intent', scrollRestoration: true, defaultStructuralSharing: true });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
