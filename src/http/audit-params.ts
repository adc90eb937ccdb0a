// The request's parameters as the audit trail keeps them: what the operation declares, secrets masked, long values cut.

import { type Params as AuditParams, cut } from '#audit/entry.ts';
import { MASK, maskSecrets } from '#contract/secret-names.ts';
import type { Json } from '#kernel/canonical-json.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { type Given, type Givens, NumberText } from './given.ts';
import type { Reader } from './params.ts';

/** Undefined when none of the declared parameters was given. */
export function auditParams({ params }: AnyEndpoint, givens: Givens): AuditParams | undefined {
  const kept: Record<string, Json> = {};
  for (const [name, reader] of Object.entries(params)) {
    const given = givens.get(name);
    if (!given || given.length === 0) continue;
    const values = given.map((value) => (reader.isSecret ? MASK : shortened(shownOf(reader, value))));
    kept[name] = values.length === 1 ? (values[0] ?? null) : shortened(values);
  }
  return Object.keys(kept).length === 0 ? undefined : kept;
}

/** Masked before it is cut: names that have lost their values, or the other way round, tell nothing. */
function shownOf({ shown }: Reader<unknown>, given: Given): Json {
  const value = shown?.(given) ?? given;
  return value instanceof NumberText ? value.digits : maskSecrets(value);
}

function shortened(value: Json): Json {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const kept = cut(text);
  return kept === text ? value : kept;
}

/** A read that was refused is written as `read` of the first segment of its path. */
export function actionOf({ audit, auditedRefusal, path }: AnyEndpoint): { module: string; method: string } {
  const code = audit ?? auditedRefusal ?? `${path.split('/')[3]}.read`;
  const dot = code.indexOf('.');
  return { module: code.slice(0, dot), method: code.slice(dot + 1) };
}
