// JSON whose numbers keep their digits: one that a double cannot hold becomes raw JSON, which is written as it was read.

declare global {
  // In every engine since 2024, but not yet in the compiler's library.
  interface JSON {
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  }
}

export const parseExactly = (text: string): unknown => JSON.parse(text, exactly);

export const isRawNumber = (value: unknown): boolean => JSON.isRawJSON(value);

function exactly(_key: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined || Number.isSafeInteger(value)) return value;
  return Number.isInteger(value) || !Number.isFinite(value) ? JSON.rawJSON(source) : value;
}
