// The file of networks: what is read of it, and what keeps the service from starting.

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLocations } from './geoip-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'vigil-geoip-'));
let files = 0;

function written(text: string): string {
  const path = join(folder, `${++files}.csv`);
  writeFileSync(path, text);
  return path;
}

describe('A file of networks', () => {
  it('has its columns in any order, and some of them', async () => {
    const locations = await readLocations(
      written('\uFEFFasn,network,city,latitude\r\nAS5,10.0.0.0/8,"a ""b"", c",x\r\n\r\n,192.0.2.7,,-1.5\r\n'),
    );
    expect(Object.fromEntries(locations.of('10.1.1.1') ?? [])).toEqual({
      country: null,
      region: null,
      city: 'a "b", c',
      latitude: null,
      longitude: null,
      asn: 5n,
    });
    expect(locations.of('192.0.2.7')?.get('latitude')).toBe(-1.5);
    expect(locations.of('192.0.2.8')).toBeUndefined();
  });

  it.each([
    ['', 'geoip-columns'],
    ['country,city\n', 'geoip-columns'],
    ['network,continent\n', 'geoip-columns'],
    ['network,country\n10.0.0.0/8,KR\n10.0.0.0/33,KR\n', 'geoip-line'],
    ['network,country\n,KR\n', 'geoip-line'],
  ])('is refused: %j', async (text, code) => {
    await expect(readLocations(written(text))).rejects.toMatchObject({ code });
  });

  it('must be there', async () => {
    await expect(readLocations(join(folder, 'none.csv'))).rejects.toMatchObject({ code: 'no-such-file' });
  });
});
