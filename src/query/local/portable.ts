// Parts of a plan on their way to another thread, as data that can be copied there. Functions of the language go by their
// names. Functions of the local evaluator stay behind, and so do the nodes below a node and in its brackets, and plans for other nodes: the
// thread needs none of them.

import { functionNamed, functions, rowFunctions } from '#query/functions/index.ts';

const INSTANT = '$instant';
const FUNCTION = '$function';
const ROW_FUNCTION = '$row-function';

const declared: ReadonlySet<object> = new Set(functions);
const overRows: ReadonlySet<object> = new Set(rowFunctions);

/** An object that occurs more than once is copied once, or plans would grow on their way. */
export function portable(value: unknown, known = new Map<object, unknown>()): unknown {
  if (typeof value === 'function') return undefined;
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  if (value instanceof Temporal.Instant) return { [INSTANT]: value.epochNanoseconds };
  if (declared.has(value) && 'name' in value) return { [FUNCTION]: value.name };
  if (overRows.has(value) && 'name' in value) return { [ROW_FUNCTION]: value.name };
  return copied(value, known, (item, key) => {
    if (key === 'bracket' || key === 'planned') return undefined;
    if (key !== 'input' || typeof item !== 'object' || item === null || !('rows' in item)) return portable(item, known);
    return { rows: portable(item.rows, known) };
  });
}

export function revived(value: unknown, known = new Map<object, unknown>()): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  if (INSTANT in value && typeof value[INSTANT] === 'bigint') {
    return Temporal.Instant.fromEpochNanoseconds(value[INSTANT]);
  }
  if (FUNCTION in value) return functionNamed(String(value[FUNCTION]));
  if (ROW_FUNCTION in value) return rowFunctions.find(({ name }) => name === value[ROW_FUNCTION]);
  return copied(value, known, (item) => revived(item, known));
}

function copied(value: object, known: Map<object, unknown>, copy: (item: unknown, key?: string) => unknown): unknown {
  const made = known.get(value);
  if (made !== undefined) return made;
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    known.set(value, list);
    for (const item of value) list.push(copy(item));
    return list;
  }
  if (value instanceof Map) {
    const map = new Map<unknown, unknown>();
    known.set(value, map);
    for (const [key, item] of value) map.set(key, copy(item));
    return map;
  }
  const object: Record<string, unknown> = {};
  known.set(value, object);
  for (const [key, item] of Object.entries(value)) object[key] = copy(item, key);
  return object;
}
