// A plan as plain text that two plans can be compared by: everything but positions in the query text.

import type { Plan } from '#query/plan-nodes/plan.ts';

const POSITIONS = new Set(['begin', 'end', 'outputSpan', 'inner']);

export const planShape = (plan: Plan): string => JSON.stringify(plan, written, 1);

/** Functions are named, not spelled out, and the input of a node is not repeated for each of the commands. */
function written(key: string, value: unknown): unknown {
  if (POSITIONS.has(key)) return undefined;
  if (key === 'called') return (value as { name: string }).name;
  if (typeof value === 'bigint') return `${value}n`;
  if (Object.is(value, -0)) return '-0';
  if (value instanceof Map) return { map: [...value] };
  if (value instanceof Set) return { set: [...value] };
  if (key === 'bracket') return (value as { text: string }[]).map(({ text }) => text);
  if (key === 'input') return (value as { text: string }).text;
  return value;
}
