// Which segments of a day are merged, and with which codec they are written. Every merge at least doubles the size of the file
// that a record is in, fills a file, or is the one that makes its day dense or gives it the present form; a full file of a dense day
// is never written again otherwise. So a
// record is rewritten once where segments are sealed full, and at most as often as a file can double where each holds a
// single record.

import { PRESENT_FORM, type Segment } from './catalog.ts';
import { isFullOfLong, recordBytesOf, sizedOf } from './record-sizes.ts';

/** A file with so many records or bytes is full. */
export interface MergeSizes {
  readonly rows: number;
  readonly bytes: number;
}

export const PLAIN_SIZES: MergeSizes = { rows: 1_000_000, bytes: 200 * 2 ** 20 };
/** A scan of an encrypted table decrypts whole files into memory. */
export const ENCRYPTED_SIZES: MergeSizes = { rows: 200_000, bytes: 50 * 2 ** 20 };

/** A merged file may be so many times as big as a full one: segments have no round sizes. */
export const HEADROOM = 1.2;
/** While a day is written to, files that do not get full are merged only up to this share of a full one. */
const SMALL = 1 / 8;
const ACTIVE_GROWTH = 4;
const RESTING_GROWTH = 2;
/** Levels of size: segments are merged with those of their own level and smaller ones. */
const LEVEL_FACTOR = 4;
const MAX_FILES = 100;

/** A day of a table. */
export interface DayState {
  /** No records have come for a while. */
  readonly isResting: boolean;
  /** It is to be written with the dense codec. */
  readonly isDense: boolean;
  /** Its segments of earlier forms are to be written again. */
  readonly takesForm: boolean;
}

export interface Selected {
  readonly from: readonly Segment[];
  readonly isDense: boolean;
}

/** Undefined when there is nothing to merge. */
export function selectMerge(
  segments: readonly Segment[],
  sizes: MergeSizes,
  stateOf: (day: string) => DayState,
): Selected | undefined {
  for (const [day, ofDay] of Map.groupBy(segments, (segment) => segment.day)) {
    const state = stateOf(day);
    // Dense files stay so: late records must not make all of their day fast again.
    const dense = ofDay.filter(isDense);
    const others = ofDay.filter((segment) => !isDense(segment));
    const made = state.isDense ? firstWindow(others, sizes) : growing(others, sizes, state);
    if (made) return { from: made, isDense: state.isDense };
    const grown = growing(dense, sizes, state);
    if (grown) return { from: grown, isDense: true };
    if (!state.takesForm) continue;
    const former = firstWindow(dense.filter(isFormer), sizes) ?? firstWindow(others.filter(isFormer), sizes);
    if (former) return { from: former, isDense: former.every(isDense) };
  }
  return undefined;
}

/** Of a form that an earlier version wrote. */
export const isFormer = ({ form }: Segment): boolean => form < PRESENT_FORM;

const isDense = ({ codec }: Segment): boolean => codec === 'zstd';

/** Segments next to each other in time that fit one file, from the oldest on. */
function firstWindow(segments: readonly Segment[], sizes: MergeSizes): readonly Segment[] | undefined {
  return segments.length === 0 ? undefined : windowAt(byTime(segments), 0, sizes);
}

function growing(segments: readonly Segment[], sizes: MergeSizes, state: DayState): readonly Segment[] | undefined {
  const open = byTime(segments.filter((segment) => !isFull(segment, sizes) && !isFullOfLong(sizedOf(segment))));
  const levels = [...new Set(open.map(levelOf))].sort((a, b) => b - a);
  for (const level of levels) {
    const alike = open.filter((segment) => levelOf(segment) <= level);
    for (const start of alike.keys()) {
      const window = windowAt(alike, start, sizes);
      if (isWorthwhile(window, sizes, state)) return window;
    }
  }
  return undefined;
}

function isWorthwhile(window: readonly Segment[], sizes: MergeSizes, { isResting }: DayState): boolean {
  if (window.length < 2) return false;
  const total = totalOf(window);
  if (isFull(total, sizes) || isFullOfLong(total)) return true;
  const biggest = Math.max(...window.map(({ rows }) => rows));
  if (isResting) return total.rows >= biggest * RESTING_GROWTH;
  return total.rows >= biggest * ACTIVE_GROWTH && total.rows <= sizes.rows * SMALL;
}

const byTime = (segments: readonly Segment[]): readonly Segment[] =>
  segments.toSorted((a, b) => a.minTime - b.minTime || a.minId - b.minId);

/** At least one segment, and as many after it as fit. */
function windowAt(segments: readonly Segment[], start: number, sizes: MergeSizes): readonly Segment[] {
  let end = start;
  let rows = 0;
  let bytes = 0;
  let recordBytes = 0;
  for (const segment of segments.slice(start, start + MAX_FILES)) {
    rows += segment.rows;
    bytes += segment.bytes;
    recordBytes += recordBytesOf(segment);
    const isTooMuch = rows > sizes.rows * HEADROOM || bytes > sizes.bytes * HEADROOM;
    if (end > start && (isTooMuch || isFullOfLong({ rows, recordBytes: recordBytes / HEADROOM }))) break;
    end += 1;
  }
  return segments.slice(start, end);
}

function totalOf(segments: readonly Segment[]): MergeSizes & { readonly recordBytes: number } {
  const sum = (of: (segment: Segment) => number) => segments.reduce((total, segment) => total + of(segment), 0);
  return { rows: sum(({ rows }) => rows), bytes: sum(({ bytes }) => bytes), recordBytes: sum(recordBytesOf) };
}

const isFull = ({ rows, bytes }: MergeSizes, sizes: MergeSizes): boolean => rows >= sizes.rows || bytes >= sizes.bytes;

const levelOf = ({ rows }: Segment): number => Math.floor(Math.log(rows) / Math.log(LEVEL_FACTOR));
