// Filters of the texts of a column by their runs of four characters, lower-cased: ClickHouse keeps one for some thousand rows and
// passes over these where a sought text cannot be. The test of a filter stands beside that of a condition, which it follows from:
// rows without a filter, of parts that are older than it, are read as ever. Characters are counted, not bytes, so texts of Hangul
// have such runs, too.

/** Characters of a run: runs of three digits are in every filter of a log. */
const CHARACTERS = 4;
/** Some ten thousand runs with few false findings; filters of few runs are small on disk. */
const BYTES = 32_768;
const HASHES = 3;
const SEED = 7;

/** Columns beyond these have no filter: each costs time with every insert. */
export const MAX_FILTERED_COLUMNS = 64;

/** An index takes no column that may be null. */
const foldedText = (column: string): string => `lower(ifNull(${column}, ''))`;

export const gramIndexName = (column: string): string => `grams_${column}`;

/** Behind `index` or `add index if not exists`. */
export const gramIndex = (column: string): string =>
  `${gramIndexName(column)} ${foldedText(column)} type ngrambf_v1(${CHARACTERS}, ${BYTES}, ${HASHES}, ${SEED}) granularity 1`;

/** Of all patterns of a statement; each is a test for every row that is read. */
export const MAX_PATTERN_CHARACTERS = 1024;

/** The value of a parameter by which `gramTest` finds rows that hold a text; undefined where no filter tells. */
export function gramPattern(text: string): string | undefined {
  const isLong = [...text].length >= CHARACTERS;
  return isLong && text.isWellFormed() && !/[%_\\]/.test(text) ? `%${asciiLower(text)}%` : undefined;
}

/** True wherever a column holds the text of the pattern. */
export const gramTest = (column: string, pattern: string): string => `${foldedText(column)} like ${pattern}`;

/** As `lower` of ClickHouse, which knows no other letters. */
const asciiLower = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
