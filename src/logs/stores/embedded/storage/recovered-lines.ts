// Journal lines of an earlier process on their way back into memory. Requests write a frame each, and inserting frame by frame
// takes milliseconds for each of them: consecutive frames are joined, their lines are scanned without parsing them, and they
// become a file, which DuckDB reads in a tenth of the time that lines take.

import { LineBatchBuilder } from '#logs/lines/line-batch-builder.ts';
import { LineScanner } from '#logs/lines/line-scanner.ts';
import { FIELD_FATES, type Field, type Layout, type LineBatch } from '#logs/log-store.ts';
import { writeBatchFile } from '#logs/parquet/batch-file.ts';
import { numberRecords } from '#logs/parquet/file-rows.ts';
import { type Batches, type BatchFacts, usedFields } from './batch.ts';
import type { FrameFile } from './file-frames.ts';
import type { Frame } from './journal-frames.ts';
import { FURTHER } from './lines.ts';

/** Bytes of lines that become one file. */
const MAX_GROUP_BYTES = 4 * 1024 * 1024;
/** Room for a file, beside half as much again as its lines have. */
const SPARE_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;
const BLANK = 0x20;
const CLOSING_BRACE = 0x7d;
const REST = '_rest';
const REST_KEY = Buffer.from(`"${REST}":{`);

/** Frames with records, and frames of lines whose ids follow each other joined to one. */
export function* joinedFrames(frames: readonly Frame[]): Generator<Frame> {
  let group: Frame[] = [];
  let bytes = 0;
  let nextId = 0;
  for (const frame of frames) {
    const { length } = frame.lines;
    const isFurther = !frame.file && frame.firstId === nextId && bytes + length <= MAX_GROUP_BYTES;
    if (group.length > 0 && !isFurther) {
      yield joined(group);
      [group, bytes] = [[], 0];
    }
    if (frame.file) {
      yield frame;
      continue;
    }
    group.push(frame);
    bytes += length;
    nextId = frame.firstId + countLines(frame.lines);
  }
  if (group.length > 0) yield joined(group);
}

function joined(frames: readonly Frame[]): Frame {
  const [first] = frames;
  if (!first) throw new Error('no frames to join');
  const offsets = frames.flatMap((frame) => frame.offsets ?? []);
  return { firstId: first.firstId, lines: Buffer.concat(frames.map(({ lines }) => lines)), offsets };
}

function countLines(lines: Buffer): number {
  let count = 0;
  for (let at = lines.indexOf(LINE_FEED); at !== -1; at = lines.indexOf(LINE_FEED, at + 1)) count += 1;
  return count;
}

/** A frame of an earlier process with its figures; its lines may have become a file. */
export interface RecoveredFrame {
  readonly frame: Frame;
  readonly facts: BatchFacts;
}

/** Scans the lines of a table's journals. */
export class RecoveredLines {
  readonly #batches: Batches;
  readonly #layout: Layout;
  #known: LineScanner | undefined;
  #target = Buffer.alloc(0);
  readonly #offsets = new LineBatchBuilder();

  constructor(batches: Batches, layout: Layout) {
    this.#batches = batches;
    this.#layout = layout;
  }

  /** Made with the first frame: it has a third of a megabyte. Times in journals are numbers, so the zone does not matter. */
  get #scanner(): LineScanner {
    this.#known ??= new LineScanner('UTC');
    return this.#known;
  }

  /** The memory of a file is used again for the next frame. */
  examine(frame: Frame): RecoveredFrame {
    const batch = this.#scanned(frame.lines);
    if (batch && this.#layout === 'row') return { frame, facts: this.#batches.batchFacts(batch) };
    const file = batch && this.#fileOf(batch, frame);
    const recovered = file ? { ...frame, file } : frame;
    return { frame: recovered, facts: this.#batches.examine(recovered) };
  }

  /** Learns the columns of the records. Undefined where they do not fit into a file. */
  #fileOf(batch: LineBatch, { firstId, lines }: Frame): FrameFile | undefined {
    const fitting = usedFields(batch.memberFields, batch.fields.length);
    const whole = this.#unwrapped(batch, lines);
    if (!whole) return undefined;
    this.#batches.learn(whole, fitting);
    const room = lines.length + (lines.length >> 1) + SPARE_BYTES;
    if (this.#target.length < room) this.#target = Buffer.allocUnsafeSlow(room);
    const file = writeBatchFile(whole, this.#numbersOf(whole.fields), this.#target);
    if (!file) return undefined;
    numberRecords(this.#target, file, firstId);
    return this.#batches.placed({ ...file, bytes: this.#target });
  }

  /** A field that was left over gets no column of its own now. */
  #numbersOf(fields: readonly Field[]): Uint16Array {
    const { undecided, leftOver } = FIELD_FATES;
    return this.#batches.fileColumns.numbersOf(fields).map((number) => (number === undecided ? leftOver : number));
  }

  /** With the fields in `_rest` as members of the line like any other. Undefined for lines that have to be parsed. */
  #unwrapped(batch: LineBatch, lines: Buffer): LineBatch | undefined {
    // Names of further columns are not those of fields.
    if (usesField(batch, FURTHER)) return undefined;
    const index = batch.fields.findIndex(({ name }) => name === REST);
    if (index === -1 || !batch.memberFields.includes(index)) return batch;
    // The lines stay as they are for the case that a file cannot be made of them.
    const unwrapped = Buffer.from(lines);
    return unwrapRest(unwrapped, batch, index) ? this.#scanned(unwrapped) : undefined;
  }

  /** Undefined for lines that have to be parsed. Its offsets are valid until the next call. */
  #scanned(lines: Buffer): LineBatch | undefined {
    this.#offsets.begin();
    const whole = { bytes: lines, begin: 0, end: lines.length, arrival: 0, maxLineBytes: lines.length };
    const batch = this.#scanner.scan({ ...whole, into: this.#offsets });
    return batch && batch.ends[batch.count - 1] === lines.length ? batch : undefined;
  }
}

const usesField = ({ fields, memberFields }: LineBatch, name: string): boolean =>
  fields.some((field, index) => field.name === name && memberFields.includes(index));

/** Blanks the key and the braces of each `_rest`, which is the last member of its line. False where it is not as expected. */
function unwrapRest(
  bytes: Buffer,
  { memberFields, memberBegins, memberEnds }: Pick<LineBatch, 'memberFields' | 'memberBegins' | 'memberEnds'>,
  index: number,
): boolean {
  for (let member = memberFields.indexOf(index); member !== -1; member = memberFields.indexOf(index, member + 1)) {
    const begin = memberBegins[member] ?? 0;
    const end = memberEnds[member] ?? 0;
    const isRest = bytes.subarray(begin, begin + REST_KEY.length).equals(REST_KEY) && bytes[end] === CLOSING_BRACE;
    if (!isRest || end - begin === REST_KEY.length + 1) return false;
    bytes.fill(BLANK, begin, begin + REST_KEY.length);
    bytes[end - 1] = BLANK;
  }
  return true;
}
