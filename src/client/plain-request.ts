// A call of an operation as a request: which of its parameters stand in the path, in the query string and in the body. The
// command line and the console send the same.

/** A request without the address of the service. */
export interface PlainRequest {
  readonly method: string;
  /** With its query string. */
  readonly path: string;
  /** JSON. */
  readonly body?: string;
}

/** Parameters that are not in the path go into the query string where nothing is changed, and into the body elsewhere. */
export function plainRequest(operation: string, params: Readonly<Record<string, unknown>> = {}): PlainRequest {
  const [method = '', pattern = ''] = operation.split(' ');
  const inPath = new Set<string>();
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => {
    inPath.add(name);
    return encodeURIComponent(String(params[name]));
  });
  const others = Object.entries(params).filter(([name, value]) => !inPath.has(name) && value !== undefined);
  if (others.length === 0) return { method, path };
  if (method !== 'GET') return { method, path, body: JSON.stringify(Object.fromEntries(others)) };
  // A list is one text there, its items separated by commas.
  const query = new URLSearchParams(others.map(([name, value]) => [name, String(value)]));
  return { method, path: `${path}?${query}` };
}
