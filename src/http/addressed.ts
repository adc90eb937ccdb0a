// What the calls of an operation are about, as its path says: the object at a key of the path, those of a list, or one that
// is made. From it the audit trail gets keys and names, so that no operation has to give them.

import { type Collection, collectionAt } from '#store/kept-names.ts';
import type { AnyEndpoint } from './endpoint.ts';

/** An object whose key is a parameter of the path. */
export interface InPath {
  readonly collection: Collection;
  readonly param: string;
}

export interface Addressed {
  /** The outermost first: a key belongs to a user. */
  readonly inPath: readonly InPath[];
  /** Those whose keys are given as a list. */
  readonly listed?: { readonly collection: Collection; readonly param: string };
  /** What a call makes one of. */
  readonly made?: Collection;
}

const LISTS = ['guids', 'codes', 'tokens'];
/** Found once for each operation. */
const known = new WeakMap<AnyEndpoint, Addressed>();

export function addressedBy(endpoint: AnyEndpoint): Addressed {
  const found = known.get(endpoint) ?? addressedIn(endpoint);
  known.set(endpoint, found);
  return found;
}

function addressedIn({ method, path, params, audit }: AnyEndpoint): Addressed {
  const inPath: InPath[] = [];
  const words: string[] = [];
  for (const segment of path.split('/').slice(3)) {
    if (!segment.startsWith(':')) {
      words.push(segment);
      continue;
    }
    const collection = collectionAt(words.join('/'));
    if (collection) inPath.push({ collection, param: segment.slice(1) });
  }
  const param = LISTS.find((list) => Object.hasOwn(params, list));
  // What is done to several may have a word of its own at the end.
  const innermost = collectionAt(words.join('/')) ?? collectionAt(words[0] ?? '');
  if (param !== undefined && method !== 'GET' && innermost) return { inPath, listed: { collection: innermost, param } };
  const isMaking = method === 'POST' && /\.create/.test(audit ?? '') && !path.endsWith(`:${inPath.at(-1)?.param}`);
  return isMaking && innermost ? { inPath, made: innermost } : { inPath };
}
