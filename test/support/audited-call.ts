// A call of an audited operation about an object: how the object is made, how the operation is called on it, and what the
// trail must then say that it was about.

import { newGuid } from '#kernel/guid.ts';
import type { Service } from './service.ts';

export type Caller = Pick<Service, 'call'>;
export type Form = Readonly<Record<string, string>>;

/** Something that is called on. */
export interface Target {
  readonly key: string;
  readonly name: string;
  /** What the path names beside it. */
  readonly within?: string;
}

export interface AuditedCall {
  /** As in the list of operations. */
  readonly operation: string;
  /** What the entry calls the key. */
  readonly keyAs: string;
  /** An object, or what there must be for one to be made. */
  target(service: Caller): Promise<Target>;
  path(target: Target): string;
  form?(target: Target): Form;
  /** A body of data, in place of parameters. */
  readonly body?: { readonly type: string; readonly text: string };
  /** Parameters that are refused, where there are some. */
  readonly wrong?: Form;
  readonly kind: 'made' | 'changed' | 'several';
  /** What else the entry of a success has. */
  also?(target: Target): object;
  /** Members of MEMBER role may call it. */
  readonly isForMembers?: true;
  /** Whoever has the token may call it, with any key or none; tokens of nothing are only counted. */
  readonly isByToken?: true;
}

export const CORE = '/api/core';
export const mark = () => newGuid().slice(0, 8);
