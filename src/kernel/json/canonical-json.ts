// The canonical text of a JSON value: keys sorted, no blanks. Hashes and signatures are computed over this text.

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  // Array.isArray does not narrow a readonly array away, hence the cast.
  const record = value as { readonly [key: string]: Json };
  const members = Object.keys(record)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(record[key] ?? null)}`);
  return `{${members.join(',')}}`;
}
