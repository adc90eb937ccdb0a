// The reference as a page.

import type { AnyEndpoint } from './endpoint.ts';

export function referencePage(endpoints: readonly AnyEndpoint[]): { html: string; policy: string } {
  return { html: endpoints.map(({ title }) => title).join(''), policy: "default-src 'none'" };
}
