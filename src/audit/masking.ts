// Secrets never reach the trail, whoever hands in an entry: the last look at a draft before it is part of the chain.

import { maskSecrets } from '#contract/secret-names.ts';
import type { Draft, Params } from './entry.ts';

/** Tokens of upload streams open nothing but the stream, and entries are to tell which one. */
const UPLOADS = 'upload-streams';
const UPLOAD_TOKENS = ['token', 'tokens'];

export function maskDraft(draft: Draft): Draft {
  const { params, msg_params, module } = draft;
  const shown = module === UPLOADS ? UPLOAD_TOKENS : [];
  return {
    ...draft,
    ...(params ? { params: maskParams(params, shown) } : {}),
    ...(msg_params ? { msg_params: maskParams(msg_params, shown) } : {}),
  };
}

function maskParams(params: Params, shown: readonly string[]): Params {
  // What is masked has the names it had.
  const masked = maskSecrets(params) as Params;
  if (masked === params) return params;
  const kept = shown.flatMap((name) => (Object.hasOwn(params, name) ? [[name, params[name] ?? null] as const] : []));
  return { ...masked, ...Object.fromEntries(kept) };
}
