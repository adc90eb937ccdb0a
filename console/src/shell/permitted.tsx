// A page that the role of the reader may not use says so; it is reached by a link alone.

import { useMatches } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAccount } from '#console/client/session.ts';
import { EmptyState } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { isAtLeast } from '#contract/values.ts';
import { usePages } from './use-pages.ts';

export function Permitted({ children }: { readonly children: ReactNode }) {
  const { shell, roles } = useLabels();
  const { role_name } = useAccount();
  const pages = usePages();
  const routes = useMatches({ select: (matches) => matches.map(({ fullPath }) => fullPath) });
  const page = pages.find(({ route }) => routes.includes(route.fullPath) && route.fullPath !== '/');
  if (!page || isAtLeast(role_name, page.role)) return children;
  return (
    <EmptyState
      icon="user"
      title={shell.forbiddenTitle}
      text={shell.forbiddenText(roles[page.role], roles[role_name])}
    />
  );
}
