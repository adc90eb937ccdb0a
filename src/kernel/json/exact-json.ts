// Numbers that keep their digits: one that a double cannot hold becomes raw JSON, which is written as it was read.

declare global {
  // In every engine since 2024, but not yet in the compiler's library.
  interface JSON {
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  }
}

export const isRawNumber = (value: unknown): boolean => JSON.isRawJSON(value);

/** For JSON.parse. */
export function reviveNumber(_key: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value !== 'number' || source === undefined ? value : exactNumber(value, source);
}

/** The number in `source`: as a double, or as raw JSON if a double would change it. */
export function exactNumber(value: number, source: string): number {
  if (Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))) return value;
  return JSON.rawJSON(source) as unknown as number; // Serialized like a number, and recognized by `isRawNumber`.
}
