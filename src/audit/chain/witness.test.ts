import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Claim, ClaimCursor, readWitnessFile } from '#audit/verify/claims.ts';
import { linesOf } from '#audit/verify/lines.ts';
import { openWitness } from './witness.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-witness-'));
  file = join(folder, 'witness.ndjson');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A head whose hash and tags consist of one letter. */
const head = (id: number, letter: string, entries: number) => ({
  id,
  hash: letter.repeat(64),
  at: 0,
  tags: letter.repeat(8 * entries),
});

const checkpoint = (id: number) => ({
  id,
  hash: 'c'.repeat(64),
  root: 'd'.repeat(64),
  created_at: 1,
  signature: 'signed',
});

function write(...lines: readonly object[]): void {
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

function claimsAbout(upTo: number): Claim[][] {
  const hearing = new ClaimCursor(readWitnessFile(file).sources);
  return Array.from({ length: upTo }, (_, index) => hearing.claimsFor(index + 1));
}

/** What is heard about each entry: its id and the first letter of the hash, or `signed`. */
function heard(upTo: number): string[][] {
  const worded = (claim: Claim) => ('digits' in claim ? `${claim.id}${claim.digits[0]}` : `${claim.id} signed`);
  return claimsAbout(upTo).map((claims) => claims.map(worded));
}

describe('Writing the witness', () => {
  it('appends a line for every head and checkpoint, readable for its owner alone', () => {
    for (const lines of [[head(1, 'a', 1)], [head(3, 'b', 2)]]) {
      const witness = openWitness(file);
      for (const line of lines) witness.head(line);
      witness.checkpoint(checkpoint(3));
      witness.close();
    }
    expect(
      readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([head(1, 'a', 1), { checkpoint: checkpoint(3) }, head(3, 'b', 2), { checkpoint: checkpoint(3) }]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('goes on after a line that a crash cut off, of any length, in place of it', () => {
    for (const torn of ['{', '{"id":2,"ha', '\0'.repeat(5000), 'x'.repeat(10_000)]) {
      write(head(1, 'a', 1));
      appendFileSync(file, torn);
      const witness = openWitness(file);
      witness.head(head(2, 'b', 1));
      witness.close();
      expect(heard(2)).toEqual([['1a'], ['2b']]);
      expect(readWitnessFile(file).corruption).toBeUndefined();
    }
  });

  it('begins anew where nothing but a cut-off line was written', () => {
    writeFileSync(file, '{"id":1');
    openWitness(file).close();
    expect(readFileSync(file, 'utf8')).toBe('');
  });
});

describe('Reading the witness', () => {
  it('finds a tag for every entry of a group, and the whole hash of its last', () => {
    write(head(3, 'a', 3), { checkpoint: checkpoint(3) }, head(5, 'b', 2));
    expect(heard(6)).toEqual([['1a'], ['2a'], ['3a', '3 signed'], ['4b'], ['5b'], []]);
    const claims = claimsAbout(5).flat();
    expect(claims.map((claim) => ('digits' in claim ? claim.digits.length : 0))).toEqual([8, 8, 64, 0, 8, 64]);
  });

  it('finds a checkpoint at its entry, though it is written after the whole group', () => {
    write(head(4, 'a', 4), { checkpoint: checkpoint(2) }, { checkpoint: checkpoint(3) }, head(5, 'b', 1));
    expect(heard(5)).toEqual([['1a'], ['2a', '2 signed'], ['3a', '3 signed'], ['4a'], ['5b']]);
  });

  it('tells the entry found at a start from those written', () => {
    write(head(2, 'a', 2), head(2, 'a', 0), head(3, 'b', 1));
    expect(readWitnessFile(file).sources).toHaveLength(1);
    const claims = claimsAbout(3).flat();
    expect(claims.map((claim) => 'digits' in claim && claim.isWritten)).toEqual([true, true, false, true]);
  });

  it('finds all claims about an entry when the log was cut and continued', () => {
    write(head(2, 'a', 2), head(4, 'b', 2), head(3, 'b', 0), head(5, 'c', 2), head(1, 'a', 0), head(6, 'd', 5));
    expect(readWitnessFile(file)).toMatchObject({ newestId: 6 });
    expect(readWitnessFile(file).sources.map(({ firstId }) => firstId)).toEqual([1, 3, 1]);
    expect(heard(6).map((claims) => claims.sort().join(' '))).toEqual([
      '1a 1a',
      '2a 2d',
      '3b 3b 3d',
      '4b 4c 4d',
      '5c 5d',
      '6d',
    ]);
  });

  it('leaves out entries that other nodes have written', () => {
    write(head(2, 'a', 1), head(9, 'b', 1));
    expect(heard(9).flat()).toEqual(['2a', '9b']);
  });

  it('names the first unreadable line, and reads on after it', () => {
    const wrong = [
      '{}',
      'null',
      '[1]',
      JSON.stringify(head(0, 'a', 0)),
      JSON.stringify({ ...head(2, 'a', 1), tags: 'abc' }),
    ];
    for (const line of [...wrong, JSON.stringify(head(2, 'a', 3)), '{"checkpoint":{"id":1}}']) {
      const [before, after] = [head(1, 'a', 1), head(2, 'b', 1)].map((each) => JSON.stringify(each));
      writeFileSync(file, `${before}\n${line}\n${after}\n`);
      expect(readWitnessFile(file)).toMatchObject({ corruption: { file, line: 2, after: 1 }, newestId: 2 });
      expect(heard(2)).toEqual([['1a'], ['2b']]);
    }
  });

  it('skips a last line without a line break, which may be being written', () => {
    write(head(1, 'a', 1));
    appendFileSync(file, JSON.stringify(head(2, 'b', 1)));
    expect(readWitnessFile(file)).toMatchObject({ newestId: 1, corruption: undefined });
  });
});

describe('Lines of a file', () => {
  it('are the same whether they fall within a piece that is read or across two', () => {
    const texts = Array.from({ length: 3000 }, (_, number) => '한'.repeat(number % 97));
    writeFileSync(file, texts.join('\n'));
    const lines = [...linesOf(file)];
    expect(lines.map(({ text }) => text)).toEqual(texts);
    const third = lines[2];
    const fifth = lines[4];
    const part = [...linesOf(file, { from: third?.from ?? 0, to: fifth?.to ?? 0 })];
    expect(part.map(({ text }) => text)).toEqual(texts.slice(2, 5));
  });
});
