// The types of the five operations of a family: methods, paths, requests and answers follow from its declaration.

import type { Failure } from '#contract/partial-outcome.ts';
import type { references } from '#objects/references/reference-record.ts';
import type { Optional, RecordOf, Typed, TypeOf } from '#operations/answers/shapes.ts';
import type { Endpoint } from '#operations/endpoint.ts';
import type { Params, paging, Reader, RequiredReader } from '#operations/params/params.ts';
import type { AnswerFindings } from '#queries/check/text-check.ts';
import type { FamilyCall, FamilyWords, Fields, TypedFamily } from './family.ts';

type Operation<P extends Params, A, M extends 'GET' | 'POST' | 'PUT' | 'DELETE', Path extends string> = Endpoint<
  P,
  FamilyCall,
  AnswerFindings | undefined,
  A,
  M,
  `/api/core/${Path}`
>;

export type OperationsOf<Fm> =
  Fm extends TypedFamily<infer W, infer F, infer N, infer D>
    ? readonly [
        Operation<ListParams<W>, ListAnswer<W, ListedShapes<F & N & D>>, 'GET', W['path']>,
        Operation<InPath<KeyOf<W>>, GetAnswer<W, WholeShapes<F & N & D>>, 'GET', `${W['path']}/:${KeyOf<W>}`>,
        Operation<
          NewKey<KeyOf<W>> & ReadersOf<F> & ReadersOf<N>,
          KeyAnswer<KeyOf<W>> & FindingsOf<W>,
          'POST',
          W['path']
        >,
        Operation<
          InPath<KeyOf<W>> & ReadersOf<F>,
          UpdateAnswer<KeyOf<W>> & FindingsOf<W>,
          'PUT',
          `${W['path']}/:${KeyOf<W>}`
        >,
        Operation<RemoveParams<W>, RemoveAnswer<W>, 'DELETE', W['path']>,
      ]
    : never;

type KeyOf<W extends FamilyWords> = W extends { readonly key: 'code' } ? 'code' : 'guid';

type ListParams<W extends FamilyWords> = typeof paging & {
  readonly keywords: Reader<string | undefined>;
} & (W extends {
    readonly filters: infer F;
  }
    ? F
    : unknown);
type InPath<K extends string> = { readonly [P in K]: RequiredReader<string> };
type NewKey<K extends string> = K extends 'code' ? InPath<K> : { readonly guid: Reader<string | undefined> };
type RemoveParams<W extends FamilyWords> = InPathList<`${KeyOf<W>}s`> &
  (W extends { readonly hasDryRun: true } ? { readonly dry_run: Reader<boolean> } : unknown);
type InPathList<K extends string> = { readonly [P in K]: RequiredReader<string[]> };
type ReadersOf<F extends Fields> = { readonly [K in keyof F]: F[K]['reader'] };

/** Fields that are shown, with their shapes. */
type WholeShapes<F> = { readonly [K in keyof F as F[K] extends Shown ? K : never]: ShapeIn<F[K]> };
type ListedShapes<F> = {
  readonly [K in keyof F as F[K] extends Shown ? (F[K] extends OnlyInDetail ? never : K) : never]: ShapeIn<F[K]>;
};
interface Shown {
  readonly shape: Typed | Optional;
}
interface OnlyInDetail {
  readonly onlyInDetail: true;
}
type ShapeIn<F> = F extends Shown ? F['shape'] : never;

type ObjectOf<W extends FamilyWords, S extends Readonly<Record<string, Typed | Optional>>> = {
  readonly [P in KeyOf<W>]: string;
} & RecordOf<S> & { readonly created: string; readonly updated: string };

type ListAnswer<W extends FamilyWords, S extends Readonly<Record<string, Typed | Optional>>> = {
  readonly total_count: number;
} & { readonly [P in W['plural']]: readonly ObjectOf<W, S>[] };
type GetAnswer<W extends FamilyWords, S extends Readonly<Record<string, Typed | Optional>>> = {
  readonly [P in W['singular']]: ObjectOf<W, S> | null;
};
type FindingsOf<W extends FamilyWords> = W extends { readonly hasQueryText: true } ? AnswerFindings : unknown;
type KeyAnswer<K extends string> = { readonly [P in K]: string };
type UpdateAnswer<K extends string> = K extends 'code' ? KeyAnswer<K> : Readonly<Record<never, never>>;
type RemoveAnswer<W extends FamilyWords> = { readonly failures: readonly Failure[] } & (W extends {
  readonly hasDryRun: true;
}
  ? { readonly references?: TypeOf<typeof references> }
  : unknown);
