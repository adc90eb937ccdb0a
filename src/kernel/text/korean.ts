// Korean text in two bytes per letter: KS X 1001 (`euc-kr`), and `cp949`, which adds the syllables missing there. The
// names are often used for each other. Node decodes the older one and encodes neither, so the encoder is built by
// inverting the decoder.

/** Code of each non-ASCII character. */
export function koreanCodes(encoding: 'euc-kr' | 'cp949'): Map<string, number> {
  const codes = wansung();
  if (encoding === 'cp949') for (const [syllable, code] of extension(codes)) codes.set(syllable, code);
  return codes;
}

/** Both directions by number; 0 stands for a character or code that the encoding lacks. */
export interface KoreanTable {
  readonly codeOf: Uint16Array;
  readonly unitOf: Uint16Array;
}

export function koreanTable(encoding: 'euc-kr' | 'cp949'): KoreanTable {
  const table = { codeOf: new Uint16Array(0x10000), unitOf: new Uint16Array(0x10000) };
  for (const [character, code] of koreanCodes(encoding)) {
    const unit = character.charCodeAt(0);
    table.codeOf[unit] = code;
    table.unitOf[code] = unit;
  }
  return table;
}

/** Decodes `cp949`, and so `euc-kr`; U+FFFD stands for bytes of neither. */
export function koreanDecoder(): (bytes: Uint8Array) => string {
  const syllables = new Map([...extension(wansung())].map(([syllable, code]) => [code, syllable]));
  const wansungReader = new TextDecoder('euc-kr');
  return (bytes) => {
    let text = '';
    let from = 0;
    for (let at = 0; at < bytes.length; ) {
      const lead = bytes[at] ?? 0;
      const trail = bytes[at + 1] ?? 0;
      const syllable = lead < 0x80 ? undefined : syllables.get(lead * 256 + trail);
      const end = at + (syllable !== undefined || (lead >= 0xa1 && trail >= 0xa1) ? 2 : 1);
      // TextDecoder takes these bytes for control characters.
      const own = syllable ?? (lead >= 0x80 && lead <= 0xa0 ? '\ufffd' : undefined);
      if (own !== undefined) {
        text += wansungReader.decode(bytes.subarray(from, at)) + own;
        from = end;
      }
      at = end;
    }
    return text + wansungReader.decode(bytes.subarray(from));
  };
}

/** KS X 1001: both bytes from 0xa1 on. One call per row of the table, because each call of the decoder is slow. */
function wansung(): Map<string, number> {
  const decoder = new TextDecoder('euc-kr');
  const codes = new Map<string, number>();
  for (let lead = 0xa1; lead <= 0xfe; lead += 1) {
    const row = Uint8Array.from({ length: 2 * ROW }, (_, at) => (at % 2 === 0 ? lead : 0xa1 + (at >> 1)));
    [...decoder.decode(row)].forEach((read, at) => {
      if (read !== '\uFFFD') codes.set(read, lead * 256 + 0xa1 + at);
    });
  }
  return codes;
}

/** Characters of one row of KS X 1001. */
const ROW = 94;

const FIRST_SYLLABLE = 0xac00;
const LAST_SYLLABLE = 0xd7a3;

/** The syllables missing in KS X 1001, in their order, at its unused codes: this is the definition of cp949. */
function* extension(known: ReadonlyMap<string, number>): Generator<[string, number]> {
  const freeCodes = unusedCodes();
  for (let code = FIRST_SYLLABLE; code <= LAST_SYLLABLE; code += 1) {
    const syllable = String.fromCharCode(code);
    if (!known.has(syllable)) yield [syllable, freeCodes.next().value ?? 0x3f];
  }
}

function* unusedCodes(): Generator<number, undefined> {
  for (let lead = 0x81; lead <= 0xc6; lead += 1) {
    for (let trail = 0x41; trail <= (lead < 0xa1 ? 0xfe : 0xa0); trail += 1) {
      const isLetter = trail <= 0x5a || (trail >= 0x61 && trail <= 0x7a);
      if (isLetter || trail >= 0x81) yield lead * 256 + trail;
    }
  }
  return undefined;
}
