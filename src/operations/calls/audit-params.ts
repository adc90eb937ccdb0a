// The parameters of a request as the audit trail stores them: the declared ones, with secrets masked and long values
// truncated.

import { type Params as AuditParams, truncateText } from '#audit/entry.ts';
import { MASK, maskSecrets } from '#contract/secret-names.ts';
import type { Json } from '#kernel/json/canonical-json.ts';
import { isRawNumber } from '#kernel/json/exact-json.ts';
import { keysOf } from '#kernel/json/large-objects.ts';
import type { AnyEndpoint } from '#operations/endpoint.ts';
import type { Reader } from '#operations/params/params.ts';
import { MAX_TEXT_AT_ONCE, NumberText, type RawParams, type RawValue } from '#operations/requests/raw-params.ts';

/** The text of this many values exceeds the part of a parameter that an entry holds. */
const MAX_VALUES = 2001;

/** Undefined when the request has none of the declared parameters. */
export function auditParams({ params }: AnyEndpoint, rawParams: RawParams): AuditParams | undefined {
  const kept: Record<string, Json> = {};
  for (const [name, reader] of Object.entries(params)) {
    const raw = rawParams.get(name);
    if (!raw || raw.length === 0) continue;
    const values = raw
      .slice(0, MAX_VALUES)
      .map((value) => (reader.isSecret ? MASK : shortened(shownOf(reader, startOf(value)))));
    kept[name] = values.length === 1 ? (values[0] ?? null) : shortened(values);
  }
  return Object.keys(kept).length === 0 ? undefined : kept;
}

/** Masked before truncation: a truncated text could separate a secret from its name. */
function shownOf({ shown }: Reader<unknown>, raw: RawValue): Json {
  const value = shown?.(raw) ?? raw;
  return value instanceof NumberText ? value.digits : maskSecrets(value);
}

function shortened(value: Json): Json {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const kept = truncateText(text);
  return kept === text ? value : kept;
}

/** The part of a value that an entry can hold, in its own shape: the rest is neither masked nor written. */
function startOf(raw: RawValue): RawValue {
  if (raw instanceof NumberText) return raw;
  return beginning(raw, { left: MAX_VALUES }) as RawValue; // The shape is that of the raw value.
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

/** A refused read is recorded as `read` of the first segment of its path. */
export function actionOf({ audit, auditedRefusal, path }: AnyEndpoint): { module: string; method: string } {
  const code = audit ?? auditedRefusal ?? `${path.split('/')[3]}.read`;
  const dot = code.indexOf('.');
  return { module: code.slice(0, dot), method: code.slice(dot + 1) };
}
