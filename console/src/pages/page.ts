// The one shape of a page. Its route, its place in the navigation, its line in the palette and its shortcut come from it.

import type { AnyRoute } from '@tanstack/react-router';
import type { IconName } from '#console/components/icon.tsx';
import type { Labels } from '#console/labels/en.ts';
import type { Role } from '#contract/values.ts';

export interface Page<R extends AnyRoute = AnyRoute> {
  readonly label: keyof Labels['pages'];
  readonly icon: IconName;
  /** The least role that can use it; others do not see it, and read why when a link brings them there. */
  readonly role: Role;
  /** Pressed after `g`. */
  readonly key: string;
  readonly route: R;
}

export const definePage = <R extends AnyRoute>(page: Page<R>): Page<R> => page;
