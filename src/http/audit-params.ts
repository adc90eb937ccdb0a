// The request's parameters as the audit trail keeps them: what the operation declares, secrets masked, long values cut.

import { type Params as AuditParams, cut } from '#audit/entry.ts';
import { MASK, maskSecrets } from '#contract/secret-names.ts';
import type { Json } from '#kernel/canonical-json.ts';
import { isRawNumber } from '#kernel/exact-json.ts';
import { keysOf } from '#kernel/large-objects.ts';
import type { AnyEndpoint } from './endpoint.ts';
import type { Reader } from './params.ts';
import { MAX_TEXT_AT_ONCE, NumberText, type RawParams, type RawValue } from './raw-params.ts';

/** The text of so many values is longer than what an entry keeps of one parameter, whatever they are. */
const MAX_VALUES = 2001;

/** Undefined when none of the declared parameters was given. */
export function auditParams({ params }: AnyEndpoint, givens: RawParams): AuditParams | undefined {
  const kept: Record<string, Json> = {};
  for (const [name, reader] of Object.entries(params)) {
    const given = givens.get(name);
    if (!given || given.length === 0) continue;
    const values = given
      .slice(0, MAX_VALUES)
      .map((value) => (reader.isSecret ? MASK : shortened(shownOf(reader, startOf(value)))));
    kept[name] = values.length === 1 ? (values[0] ?? null) : shortened(values);
  }
  return Object.keys(kept).length === 0 ? undefined : kept;
}

/** Masked before it is cut: names that have lost their values, or the other way round, tell nothing. */
function shownOf({ shown }: Reader<unknown>, given: RawValue): Json {
  const value = shown?.(given) ?? given;
  return value instanceof NumberText ? value.digits : maskSecrets(value);
}

function shortened(value: Json): Json {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const kept = cut(text);
  return kept === text ? value : kept;
}

/** As much of a value as an entry may keep of it, in its own shape: the rest is neither masked nor written. */
function startOf(given: RawValue): RawValue {
  if (given instanceof NumberText) return given;
  return beginning(given, { left: MAX_VALUES }) as RawValue; // Its shape is that of what was given.
}

function beginning(value: Json, count: { left: number }): Json {
  count.left -= 1;
  if (typeof value === 'string') return value.slice(0, MAX_TEXT_AT_ONCE);
  if (value === null || typeof value !== 'object' || isRawNumber(value)) return value;
  if (Array.isArray(value)) return elements(value, count);
  const record = value as { readonly [key: string]: Json }; // Array.isArray does not narrow a readonly array away.
  const kept: [string, Json][] = [];
  for (const key of keysOf(record)) {
    if (count.left <= 0) break;
    kept.push([key.slice(0, MAX_TEXT_AT_ONCE), beginning(record[key] ?? null, count)]);
  }
  return Object.fromEntries(kept);
}

function elements(array: readonly Json[], count: { left: number }): Json {
  const kept: Json[] = [];
  for (const item of array) {
    if (count.left <= 0) break;
    kept.push(beginning(item, count));
  }
  return kept;
}

/** A read that was refused is written as `read` of the first segment of its path. */
export function actionOf({ audit, auditedRefusal, path }: AnyEndpoint): { module: string; method: string } {
  const code = audit ?? auditedRefusal ?? `${path.split('/')[3]}.read`;
  const dot = code.indexOf('.');
  return { module: code.slice(0, dot), method: code.slice(dot + 1) };
}
