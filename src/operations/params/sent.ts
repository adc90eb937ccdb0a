// What a client sends, as types: the other side of what readers make of it.

import type { Params, Reader, RequiredReader } from './params.ts';

/** What a client sends for these parameters, in JSON. */
export type SentOf<P extends Params> = {
  readonly [K in keyof P as P[K] extends RequiredReader<unknown> ? K : never]: SentFor<P[K]>;
} & { readonly [K in keyof P as P[K] extends RequiredReader<unknown> ? never : K]?: SentFor<P[K]> };

type SentFor<R> =
  R extends Reader<infer T, infer W> ? (unknown extends W ? SentValue<Exclude<T, undefined>> : W) : never;

type SentValue<T> = T extends Temporal.Instant
  ? string
  : T extends readonly (infer I)[]
    ? readonly SentValue<I>[]
    : T extends object
      ? SentObject<T>
      : T;

/** What may be undefined may be left out. */
type SentObject<T> = { readonly [K in keyof T as undefined extends T[K] ? never : K]: SentValue<T[K]> } & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: SentValue<Exclude<T[K], undefined>>;
};
