// The root of all routes: the frame of the application around the page.

import { createRootRoute } from '@tanstack/react-router';
import { Frame } from '#console/shell/frame.tsx';
import { NotFound } from '#console/shell/not-found.tsx';
import { PageFailed } from '#console/shell/page-failed.tsx';

export const rootRoute = createRootRoute({ component: Frame, notFoundComponent: NotFound, errorComponent: PageFailed });
