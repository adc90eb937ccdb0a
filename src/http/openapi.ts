// OpenAPI 3.1, made from the declarations of the operations.

import type { AnyEndpoint } from './endpoint.ts';

export function openapiOf(endpoints: readonly AnyEndpoint[]): object {
  return { openapi: '3.1.0', paths: Object.fromEntries(endpoints.map(({ path }) => [path, {}])) };
}
