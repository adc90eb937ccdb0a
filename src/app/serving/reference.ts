// What the service says about itself: the OpenAPI document and the pages for reading.

import type { JsonObject } from '#operations/params/json-params.ts';
import { allEndpoints } from '#resources/index.ts';
import type { Reference } from '#resources/service/reference.ts';
import type { Config } from '#settings/index.ts';

/** Built at the first request: most services never serve it. */
export function referenceOf(config: Config, url: () => string): Reference {
  const made: { openapi?: JsonObject; page?: Awaited<ReturnType<Reference['page']>> } = {};
  return {
    async openapi() {
      const { openapiOf } = await import('#docs/openapi/openapi.ts');
      made.openapi ??= openapiOf(allEndpoints(config.metrics, config.senders));
      return made.openapi;
    },
    async page() {
      const { referencePage } = await import('#docs/reference/reference-page.ts');
      made.page ??= referencePage(allEndpoints(config.metrics, config.senders), { url: url() });
      return made.page;
    },
  };
}
