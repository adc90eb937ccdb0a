// What a query holds in memory as long as it is kept, in characters: its text and commands, constants, tags and columns.

import type { LiveQuery } from '#queries/live-query.ts';
import type { Value } from '#query/model/values.ts';

/** A value or a column takes about as much memory as this many characters, beside its texts. */
const CHARACTERS_PER_VALUE = 128;

export function keptCharacters({ request, progress, outline, tags }: LiveQuery): number {
  const commands = progress.pipelines.flatMap((pipeline) => pipeline.commands.map(({ command }) => command));
  const tagTexts = Object.entries(tags).flat();
  return (
    sumOf([request.text, ...commands, ...tagTexts], ({ length }) => length) +
    sumOf(outline.constants, ([name, value]) => name.length + charactersOf(value)) +
    sumOf(outline.rows.columns, ({ name }) => name.length + CHARACTERS_PER_VALUE)
  );
}

function charactersOf(value: Value): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length + CHARACTERS_PER_VALUE;
  if (Array.isArray(value)) return CHARACTERS_PER_VALUE + sumOf(value, charactersOf);
  if (!(value instanceof Map)) return CHARACTERS_PER_VALUE;
  return CHARACTERS_PER_VALUE + sumOf(value, ([name, item]) => name.length + charactersOf(item));
}

function sumOf<T>(items: Iterable<T>, sizeOf: (item: T) => number): number {
  let sum = 0;
  for (const item of items) sum += sizeOf(item);
  return sum;
}
