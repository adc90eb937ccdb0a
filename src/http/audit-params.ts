// The request's parameters as the audit trail keeps them: what the operation declares, secrets masked, long values cut.

import { type Params as AuditParams, cut } from '#audit/entry.ts';
import type { Json } from '#kernel/canonical-json.ts';
import { isRawNumber } from '#kernel/exact-json.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { type Given, type Givens, jsonWithin, NumberText } from './given.ts';
import type { Reader } from './params.ts';

const MASK = '***';

/** Undefined when none of the declared parameters was given. */
export function auditParams({ params }: AnyEndpoint, givens: Givens): AuditParams | undefined {
  const kept: Record<string, Json> = {};
  for (const [name, reader] of Object.entries(params)) {
    const given = givens.get(name);
    if (!given || given.length === 0) continue;
    const values = given.map((value) => (reader.isSecret ? MASK : shortened(withoutSecrets(plainOf(value), reader))));
    kept[name] = values.length === 1 ? (values[0] ?? null) : shortened(values);
  }
  return Object.keys(kept).length === 0 ? undefined : kept;
}

const plainOf = (given: Given): Json => (given instanceof NumberText ? given.digits : given);

/** What is no JSON cannot be looked into, and might be meant as a secret. */
function withoutSecrets(given: Json, { secretMember }: Reader<unknown>): Json {
  if (secretMember === undefined) return given;
  const value = typeof given === 'string' ? jsonWithin(given) : given;
  return value === undefined ? MASK : masked(value, secretMember);
}

function masked(value: Json, name: string): Json {
  if (value === null || typeof value !== 'object' || isRawNumber(value)) return value;
  if (Array.isArray(value)) return value.map((item: Json) => masked(item, name));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, key === name ? MASK : masked(item, name)]),
  );
}

function shortened(value: Json): Json {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const kept = cut(text);
  return kept === text ? value : kept;
}
