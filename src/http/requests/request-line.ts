// The request line before routing: ids for requests, and paths that do not decode, which are routed nevertheless so
// that earlier checks come first.

import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Ids rise within a run of the service and differ between runs. */
export function requestIds(): () => string {
  const run = randomBytes(4).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `${run}-${count.toString(36)}`;
  };
}

export interface RequestLines {
  /** The path for routing. A path that does not decode is noted, and routed with its escapes as text. */
  routable(request: { url?: string | undefined }): string;
  isUndecodable(request: IncomingMessage): boolean;
}

export function requestLines(): RequestLines {
  const undecodable = new WeakSet<object>();
  return {
    routable(request) {
      const { url = '/' } = request;
      if (!url.includes('%')) return url;
      const [path = ''] = url.split('?', 1);
      if (isDecodable(path)) return url;
      undecodable.add(request);
      return path.replaceAll('%', '%25') + url.slice(path.length);
    },
    isUndecodable: (request) => undecodable.has(request),
  };
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
