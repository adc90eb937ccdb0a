// Reads the file of networks for `lookup geoip`.

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { UsageError } from '#kernel/usage-error.ts';
import { GEOIP } from '#query/model/lookups.ts';
import type { AddressLocations } from '#query/model/run-facts.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import { cidrOf, groupEntryOf } from '#query/values/addresses/addresses.ts';
import { type LocatedNetwork, locationsOf } from '#query/values/addresses/locations.ts';
import { numberOfText, wholeOfText } from '#query/values/conversions.ts';
import { parsedValue } from '#query/values/formats/parsed-text.ts';

const COLUMNS = [GEOIP.key, ...GEOIP.columns.map(({ name }) => name)];

/** Throws a UsageError for a missing file or wrong content. */
export async function readLocations(path: string): Promise<AddressLocations> {
  const networks: LocatedNetwork[] = [];
  const known = new Map<string, MapValue>();
  let names: readonly string[] | undefined;
  let line = 0;
  try {
    for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
      line += 1;
      if (!names) names = columnsIn(text, path);
      else if (text !== '') networks.push(networkIn(cellsOf(text, names), known, { path, line }));
    }
  } catch (cause) {
    const isAbsent = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    throw isAbsent ? new UsageError('no-such-file', { path }, { cause }) : cause;
  }
  if (!names) throw new UsageError('geoip-columns', { path, columns: COLUMNS.join(', ') });
  return locationsOf(networks);
}

function cellsOf(text: string, names: readonly string[]): MapValue {
  return (
    parsedValue(text, { format: 'csv', tab: false, strict: false, names }, { field: '', zone: 'UTC' }) ?? new Map()
  );
}

function columnsIn(text: string, path: string): string[] {
  const names = [...cellsOf(text.replace(/^\uFEFF/, ''), []).values()].map((name) => String(name).trim().toLowerCase());
  if (!names.includes(GEOIP.key) || names.some((name) => !COLUMNS.includes(name))) {
    throw new UsageError('geoip-columns', { path, columns: COLUMNS.join(', ') });
  }
  return names;
}

/** Many networks share a location: equal ones are held once. */
function networkIn(cells: MapValue, known: Map<string, MapValue>, at: { path: string; line: number }): LocatedNetwork {
  const written = String(cells.get(GEOIP.key) ?? '').trim();
  const range = cidrOf(written) ?? groupEntryOf(written);
  if (!range) throw new UsageError('geoip-line', { path: at.path, line: String(at.line) });
  const fields = GEOIP.columns.map(({ name }) => [name, String(cells.get(name) ?? '').trim()] as const);
  const key = JSON.stringify(fields);
  const location = known.get(key) ?? new Map(fields.map(([name, text]) => [name, cellValue(name, text)]));
  known.set(key, location);
  return { range, location };
}

function cellValue(name: string, text: string): Value {
  if (text === '') return null;
  if (name === 'asn') return wholeOfText(text.replace(/^AS/i, ''));
  if (name === 'latitude' || name === 'longitude') {
    const number = numberOfText(text);
    return number === null ? null : Number(number);
  }
  return text;
}
