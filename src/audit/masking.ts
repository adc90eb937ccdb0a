// Masks secrets in a draft before it becomes part of the chain, for all callers alike.

import { maskSecrets } from '#contract/secret-names.ts';
import type { Draft, Params } from './entry.ts';

/** The token of an upload stream opens only that stream, and entries must identify it. */
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
  // Masking keeps the names.
  const masked = maskSecrets(params) as Params;
  if (masked === params) return params;
  const kept = shown.flatMap((name) => (Object.hasOwn(params, name) ? [[name, params[name] ?? null] as const] : []));
  return { ...masked, ...Object.fromEntries(kept) };
}
