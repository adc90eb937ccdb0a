// What is reported of an object of an exported installation.

import type { MessageCode } from '#cli/messages/index.ts';

/** Reasons beside the numbers of query errors and the codes of the service, with their texts. */
export const FILE_REASONS = {
  'cannot-read': 'migrate-cannot-read',
  link: 'migrate-link',
  'not-a-file': 'migrate-not-a-file',
  'too-large': 'migrate-too-large',
  'not-utf-8': 'migrate-not-utf-8',
  'malformed-json': 'migrate-malformed-json',
  'malformed-csv': 'migrate-malformed-csv',
  'no-schedule': 'migrate-no-schedule',
  'unusable-name': 'migrate-unusable-name',
  'duplicate-name': 'migrate-duplicate-name',
  'stream-query': 'migrate-stream-query',
  'unknown-type': 'migrate-unknown-type',
  'alarm-not-moved': 'migrate-alarm-not-moved',
} as const satisfies Readonly<Record<string, MessageCode>>;

export type FileReason = keyof typeof FILE_REASONS;

export interface Finding {
  readonly severity: 'error' | 'warning';
  /** Of the file, from 1; absent where the file as a whole is meant. */
  readonly line?: number;
  /** A number of the query language, a code of the service, or a reason. */
  readonly code: number | string;
  readonly message: string;
  /** Text to write instead; absent where there is no single one. */
  readonly replacement?: string;
}

/** Ends the reading of a file. */
export class UnreadableObject extends Error {
  readonly finding: Finding;

  constructor(finding: Omit<Finding, 'severity'>) {
    super(finding.message);
    this.finding = { severity: 'error', ...finding };
  }
}
