// The objects of an operation's calls, derived from its path: the object at a key of the path, those of a list, or a
// new one. The audit trail gets keys and names from it, so that no operation has to supply them.

import type { AnyEndpoint } from '#operations/endpoint.ts';
import { type Collection, collectionAt } from '#store/rows/kept-names.ts';

/** An object whose key is a parameter of the path. */
export interface InPath {
  readonly collection: Collection;
  readonly param: string;
}

export interface Addressed {
  /** Outermost first: an API key belongs to a user. */
  readonly inPath: readonly InPath[];
  /** Objects whose keys are given as a list. */
  readonly listed?: { readonly collection: Collection; readonly param: string };
  /** The collection that a call adds an object to. */
  readonly made?: Collection;
}

const LISTS = ['guids', 'codes', 'tokens'];
/** Derived once per operation. */
const addressedOf = new WeakMap<AnyEndpoint, Addressed>();

export function addressedBy(endpoint: AnyEndpoint): Addressed {
  const found = addressedOf.get(endpoint) ?? addressedIn(endpoint);
  addressedOf.set(endpoint, found);
  return found;
}

function addressedIn({ method, path, params, audit }: AnyEndpoint): Addressed {
  const inPath: InPath[] = [];
  const words: string[] = [];
  for (const part of path.split('/').slice(3)) {
    if (!part.startsWith(':')) {
      words.push(part);
      continue;
    }
    const collection = collectionAt(words.join('/'));
    if (collection) inPath.push({ collection, param: part.slice(1) });
  }
  const param = LISTS.find((list) => Object.hasOwn(params, list));
  // A bulk operation may have a verb as the last word of its path.
  const innermost = collectionAt(words.join('/')) ?? collectionAt(words[0] ?? '');
  if (param !== undefined && method !== 'GET' && innermost) return { inPath, listed: { collection: innermost, param } };
  const isMaking = method === 'POST' && /\.create/.test(audit ?? '') && !path.endsWith(`:${inPath.at(-1)?.param}`);
  return isMaking && innermost ? { inPath, made: innermost } : { inPath };
}
