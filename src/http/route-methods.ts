// The methods that a route is added for.

import type { HTTPMethods } from 'fastify';
import type { AnyEndpoint } from '#operations/endpoint.ts';

export type RouteMethods = (endpoint: AnyEndpoint) => HTTPMethods[];

/**
 * HEAD goes with GET, whose body Node leaves out then, unless its path has an endpoint for it. Fastify would add a route of its own
 * for each HEAD: a third more routes, which a start would wait for.
 */
export function routeMethods(endpoints: readonly AnyEndpoint[]): RouteMethods {
  const own = new Set(endpoints.filter(({ method }) => method === 'HEAD').map(({ path }) => path));
  return ({ method, path }) => (method === 'GET' && !own.has(path) ? ['GET', 'HEAD'] : [method]);
}
