// The records of a batch as lines of the journal, see lines.ts: bytes of their own lines, copied in as few pieces as the
// fields of the service and those that do not fit their columns leave.

import { type Field, isReserved, type Layout, type LineBatch } from '#logs/log-store.ts';
import type { ColumnRegistry } from '#logs/stores/shared/columns.ts';
import type { LineBuffer } from './line-buffer.ts';
import { FURTHER } from './lines.ts';

/** What becomes of a field. Joined for all fields of a record. */
const [UNDECIDED, KEPT, LEFT_OVER, DROPPED, TIME, FURTHER_COLUMN] = [0, 1, 2, 4, 8, 16] as const;

const ID = Buffer.from('{"_id":');
const OWN_TIME = Buffer.from(',"_time":');
const DOCUMENT = Buffer.from(',"_doc":{');
const REST = Buffer.from(',"_rest":{');
const FURTHER_COLUMNS = Buffer.from(`,"${FURTHER}":{`);
const COMMA = Buffer.from(',');
const END = Buffer.from('}');
const LINE_END = Buffer.from('}\n');

export class BatchLines {
  readonly #layout: Layout;
  readonly #registry: ColumnRegistry;
  /** By list of fields. The column of a field never changes. */
  #fates = new WeakMap<readonly Field[], Uint8Array>();
  /** Those that the table had when the fates were found. */
  #lateColumns = 0;
  /** Keys of further columns, with their colons. */
  readonly #keys = new WeakMap<Field, Buffer>();

  constructor(layout: Layout, registry: ColumnRegistry) {
    this.#layout = layout;
    this.#registry = registry;
  }

  /** Writes the line of a record, and learns columns from it. */
  write(batch: LineBatch, at: number, id: number, target: LineBuffer): void {
    const fates = this.#fatesOf(batch.fields);
    const joined = this.#joinedFates(batch, at, fates);
    target.writeBytes(ID);
    target.writeWhole(id);
    if ((joined & TIME) === 0) {
      target.writeBytes(OWN_TIME);
      target.writeWhole(batch.times[at] ?? 0);
    }
    if (this.#layout === 'row') {
      target.writeBytes(DOCUMENT);
      this.#members(batch, at, KEPT, fates, target);
      target.writeBytes(END);
    } else if (joined === KEPT || joined === (KEPT | TIME)) {
      // The whole line with its end, but for the first brace.
      target.writeBytes(COMMA);
      target.copy(batch.bytes, (batch.begins[at] ?? 0) + 1, batch.ends[at] ?? 0);
      return;
    } else {
      if ((joined & (KEPT | TIME)) !== 0) target.writeBytes(COMMA);
      this.#members(batch, at, KEPT | TIME, fates, target);
    }
    if ((joined & FURTHER_COLUMN) !== 0) {
      target.writeBytes(FURTHER_COLUMNS);
      this.#furtherMembers(batch, at, fates, target);
      target.writeBytes(END);
    }
    if ((joined & LEFT_OVER) !== 0) {
      target.writeBytes(REST);
      this.#members(batch, at, LEFT_OVER, fates, target);
      target.writeBytes(END);
    }
    target.writeBytes(LINE_END);
  }

  #joinedFates({ firstMembers, memberFields, fields }: LineBatch, at: number, fates: Uint8Array): number {
    const end = firstMembers[at + 1] ?? 0;
    let joined = UNDECIDED as number;
    for (let member = firstMembers[at] ?? 0; member < end; member += 1) {
      const index = memberFields[member] ?? 0;
      let fate = fates[index] ?? 0;
      if (fate === UNDECIDED) {
        fate = this.#fateOf(fields[index]);
        fates[index] = fate;
      }
      joined |= fate;
    }
    return joined;
  }

  /** Writes the members of such fates, those that follow each other in one piece. */
  #members(batch: LineBatch, at: number, wanted: number, fates: Uint8Array, target: LineBuffer): void {
    const { bytes, firstMembers, memberFields, memberBegins, memberEnds } = batch;
    const first = firstMembers[at] ?? 0;
    const end = firstMembers[at + 1] ?? 0;
    const isWanted = (member: number) => ((fates[memberFields[member] ?? 0] ?? 0) & wanted) !== 0;
    let isFirst = true;
    for (let member = first; member < end; member += 1) {
      if (!isWanted(member)) continue;
      const from = member;
      while (member + 1 < end && isWanted(member + 1)) member += 1;
      if (!isFirst) target.writeBytes(COMMA);
      isFirst = false;
      target.copy(bytes, memberBegins[from] ?? 0, memberEnds[member] ?? 0);
    }
  }

  /** Writes the members of further columns, with the names of these as keys. */
  #furtherMembers(batch: LineBatch, at: number, fates: Uint8Array, target: LineBuffer): void {
    const { bytes, firstMembers, memberFields, memberValues, memberEnds, fields } = batch;
    const end = firstMembers[at + 1] ?? 0;
    let isFirst = true;
    for (let member = firstMembers[at] ?? 0; member < end; member += 1) {
      const index = memberFields[member] ?? 0;
      const field = fields[index];
      if (fates[index] !== FURTHER_COLUMN || !field) continue;
      if (!isFirst) target.writeBytes(COMMA);
      isFirst = false;
      target.writeBytes(this.#keyOf(field));
      target.copy(bytes, memberValues[member] ?? 0, memberEnds[member] ?? 0);
    }
  }

  #keyOf(field: Field): Buffer {
    const known = this.#keys.get(field);
    if (known) return known;
    const key = Buffer.from(`${JSON.stringify(this.#registry.columnFor(field.name, field.type))}:`);
    this.#keys.set(field, key);
    return key;
  }

  #fateOf(field: Field | undefined): number {
    if (!field) return DROPPED;
    const { name, type } = field;
    const isColumnar = this.#layout === 'columnar';
    if (isReserved(name)) return isColumnar && name === '_time' && type === 'long' ? TIME : DROPPED;
    if (!isColumnar) return KEPT;
    const column = this.#registry.columnFor(name, type);
    if (column === undefined) return LEFT_OVER;
    return column === name ? KEPT : FURTHER_COLUMN;
  }

  /** The list may have grown since. */
  #fatesOf(fields: readonly Field[]): Uint8Array {
    const { lateColumns } = this.#registry;
    if (lateColumns !== this.#lateColumns) this.#fates = new WeakMap();
    this.#lateColumns = lateColumns;
    const known = this.#fates.get(fields);
    if (known && known.length >= fields.length) return known;
    const larger = new Uint8Array(2 * fields.length);
    if (known) larger.set(known);
    this.#fates.set(fields, larger);
    return larger;
  }
}
