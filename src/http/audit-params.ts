// The request's parameters as the audit trail keeps them: what the operation declares, secrets masked, long values cut.

import { type Params as AuditParams, cut } from '#audit/entry.ts';
import { MASK } from '#contract/secret-names.ts';
import type { Json } from '#kernel/canonical-json.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { type Given, type Givens, NumberText } from './given.ts';

/** Undefined when none of the declared parameters was given. */
export function auditParams({ params }: AnyEndpoint, givens: Givens): AuditParams | undefined {
  const kept: Record<string, Json> = {};
  for (const [name, reader] of Object.entries(params)) {
    const given = givens.get(name);
    if (!given || given.length === 0) continue;
    const values = given.map((value) => (reader.isSecret ? MASK : shortened(plainOf(reader.shown?.(value) ?? value))));
    kept[name] = values.length === 1 ? (values[0] ?? null) : shortened(values);
  }
  return Object.keys(kept).length === 0 ? undefined : kept;
}

const plainOf = (given: Given): Json => (given instanceof NumberText ? given.digits : given);

function shortened(value: Json): Json {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const kept = cut(text);
  return kept === text ? value : kept;
}
