// The names that the parts of a stream of Loki get in a record.

export const LINE = Buffer.from('line');
export const META_PREFIX = Buffer.from('meta.');
export const LABEL_PREFIX = Buffer.from('label.');
/** The label that names the table, and is not kept. */
export const TABLE_LABEL = 'vigil_table';

/** Entries between two slices. */
export const SLICE_ENTRIES = 64;
