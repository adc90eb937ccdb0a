// Distinguishes an unknown path from a known path with other methods.

import { type ApiError, methodNotAllowed, noSuchOperation } from '#contract/errors.ts';
import type { AnyEndpoint } from '#operations/endpoint.ts';

export function missingRoute(endpoints: readonly AnyEndpoint[]): (method: string, path: string) => ApiError {
  const methods = new Map<string, ReadonlySet<string>>();
  for (const { path, method } of endpoints) {
    // Any path fits a parameter at the root: it counts for its own methods alone.
    if (path.startsWith('/:')) continue;
    const known = methods.get(path) ?? new Set();
    methods.set(path, known.union(new Set(method === 'GET' ? ['GET', 'HEAD'] : [method])));
  }
  const patterns = [...methods].map(([path, allowed]) => ({ segments: path.split('/'), allowed: [...allowed] }));
  return (method, path) => {
    const segments = path.split('/').map(decodeSegment);
    const allowed = patterns.filter((pattern) => matches(pattern.segments, segments)).flatMap(({ allowed }) => allowed);
    return allowed.length === 0 ? noSuchOperation(method, path) : methodNotAllowed(method, path, allowed);
  };
}

/** The router decodes a path before comparing. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((expected, index) => expected.startsWith(':') || expected === segments[index]);
}
