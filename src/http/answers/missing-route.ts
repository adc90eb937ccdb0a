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
  const patterns = [...methods].map(([path, allowed]) => ({ parts: path.split('/'), allowed: [...allowed] }));
  return (method, path) => {
    const parts = path.split('/').map(decodePathPart);
    const allowed = patterns.filter((pattern) => matches(pattern.parts, parts)).flatMap(({ allowed }) => allowed);
    return allowed.length === 0 ? noSuchOperation(method, path) : methodNotAllowed(method, path, allowed);
  };
}

/** The router decodes a path before comparing. */
function decodePathPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function matches(pattern: readonly string[], parts: readonly string[]): boolean {
  if (pattern.length !== parts.length) return false;
  return pattern.every((expected, index) => expected.startsWith(':') || expected === parts[index]);
}
