// Refusals of senders by what their clients do about them: each protocol answers a category in words of its own.

import { ApiError, bodyTooLarge, malformedBody, notFound, tooManyLines, tooManyTables } from '#contract/errors.ts';
import { isOutOfSpace } from '#store/no-space.ts';
import { StoreUnreachable } from '#store/unreachable.ts';
import { type BodyFault, type BodyRefused, MAX_NAMES, type RecordLimits } from './decoded.ts';

export const CATEGORIES = [
  'invalid',
  'no-table',
  'unauthorized',
  'forbidden',
  'absent',
  'too-large',
  'unsupported',
  'busy',
  'unavailable',
  'defect',
] as const;
export type Category = (typeof CATEGORIES)[number];

/** The body was read, and is refused as a whole. */
export class SenderError extends ApiError {
  readonly fault: BodyFault | 'no-table' | 'no-channel';
  /** The item at fault, from 0. */
  readonly item: number | undefined;

  constructor(
    error: ApiError,
    fault: SenderError['fault'],
    { item, detail }: { item?: number | undefined; detail?: string } = {},
  ) {
    super(error, detail || error.message);
    this.fault = fault;
    this.item = item;
  }
}

export const noTable = (name: string): SenderError => new SenderError(notFound('table', name), 'no-table');

export function refusedBody({ fault, item, message }: BodyRefused, limits: RecordLimits): SenderError {
  return new SenderError(errorOf(fault, limits), fault, { item, detail: message });
}

function errorOf(fault: BodyFault, { bodyBytes, items }: RecordLimits): ApiError {
  if (fault === 'too-long') return bodyTooLarge(bodyBytes);
  if (fault === 'too-many-items') return tooManyLines(items);
  return fault === 'too-many-names' ? tooManyTables(MAX_NAMES) : malformedBody();
}

const BY_STATUS: ReadonlyMap<number, Category> = new Map([
  [400, 'invalid'],
  [401, 'unauthorized'],
  [404, 'absent'],
  [405, 'absent'],
  [408, 'unavailable'],
  [413, 'too-large'],
  [415, 'unsupported'],
  [421, 'invalid'],
  [429, 'busy'],
  [431, 'too-large'],
  [503, 'unavailable'],
]);

/** Whether an error of the intake is a state of the service, and no defect. */
export const isFault = (error: unknown): boolean =>
  error instanceof ApiError || error instanceof StoreUnreachable || isOutOfSpace(error);

/** Whether the same request may succeed later. */
export const mayPass = (error: unknown): boolean =>
  isFault(error) && (!(error instanceof ApiError) || ['busy', 'unavailable'].includes(categoryOf(error)));

function categoryOfFault({ fault, status }: SenderError): Category {
  if (fault === 'no-table') return fault;
  return status === 413 ? 'too-large' : 'invalid';
}

/** A state of the service that is no defect may pass: a full disk, a closed table, too little memory. */
export function categoryOf(error: ApiError): Category {
  if (error instanceof SenderError) return categoryOfFault(error);
  if (error.kind === 'internalError') return 'defect';
  if (error.kind === 'noPermission') return 'forbidden';
  if (error.kind === 'notFound') return 'no-table';
  return BY_STATUS.get(error.status) ?? 'unavailable';
}
