// Urls of requests: those of rows, and base urls of connection profiles with a path behind them.

/** Undefined for a text that is no http or https url, or that has a user part, even an empty one. */
export function requestUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  // Parsers drop these three characters everywhere, and treat a backslash as a slash.
  const [, authority = ''] = /^[^:]*:[/\\]*([^/\\?#]*)/.exec(text.replace(/[\t\n\r]/g, '')) ?? [];
  const isRequest = url && /^https?:$/.test(url.protocol) && url.hostname !== '' && !authority.includes('@');
  return isRequest ? url : undefined;
}

const CLIMBS = /(?:^|[/\\])\.\.(?:[/\\]|$)/;

/** Undefined for a path that leaves the base url, also where only the other side would decode it so. */
export function completedUrl(base: string, path: string | null): URL | undefined {
  const root = requestUrl(base);
  if (!root || path === null || path === '') return root;
  const [steps = ''] = path.split(/[?#]/, 1);
  const plain = decoded(steps);
  if (plain === undefined || CLIMBS.test(steps) || CLIMBS.test(plain)) return undefined;
  const folder = root.pathname.endsWith('/') ? root.pathname : `${root.pathname}/`;
  const url = URL.parse(`${root.origin}${folder}${path.replace(/^[/\\]+/, '')}`);
  return url?.origin === root.origin && url.pathname.startsWith(folder) ? url : undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
