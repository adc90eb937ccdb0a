// An address that names no page.

import { Link, useLocation } from '@tanstack/react-router';
import { PageFrame } from '#console/components/page-frame.tsx';
import { EmptyState } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';

export function NotFound() {
  const { shell } = useLabels();
  const { pathname } = useLocation();
  return (
    <PageFrame title={shell.notFoundTitle}>
      <EmptyState title={shell.notFoundText(pathname)}>
        <Link to="/">{shell.goHome}</Link>
      </EmptyState>
    </PageFrame>
  );
}
