// The router: addresses of the browser to pages, with typed search parameters.

import { createRouter } from '@tanstack/react-router';
import { routeTree } from './pages/index.ts';
import { PageFailed } from './shell/page-failed.tsx';

export const createConsoleRouter = () =>
  createRouter({
    routeTree,
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultStructuralSharing: true,
    // In the place of the page: the frame around it stays.
    defaultErrorComponent: PageFailed,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
