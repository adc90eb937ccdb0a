// The one shape of a parser: what makes the fields of a record out of a line of text. From a declaration come what
// `parser_configs` of a logger model may say, the complaints about it, and the reference.

import type { WorkLimit } from '#ingest/reading/work-limit.ts';
import type { Json } from '#kernel/json/canonical-json.ts';
import { members } from '#operations/params/json-params.ts';
import type { InputOf, Params, ReadContext, Reader } from '#operations/params/params.ts';
import type { MapValue } from '#query/model/values.ts';

export interface Parsed {
  readonly fields: MapValue;
  /** The moment that the line names, in epoch milliseconds; what a field `_time` says goes before it. */
  readonly time?: number | undefined;
}

/**
 * The fields of a line of valid text, which arrived at a moment; undefined where it cannot be read. Throws nothing but the
 * WorkTooLong of its limit.
 */
export type ReadLine = (line: string, at: number) => Parsed | undefined;

export interface Parser {
  readonly code: string;
  readonly name: string;
  readonly description: string;
  /** What `parser_configs` says to it, each read like a parameter, in the order of complaints. */
  readonly configs: Params;
  /** A line and what is made of it, for the reference. */
  readonly example: ParserExample;
  /** Its lines are records already: JSON, which is kept as it is written. */
  readonly isOfRecords?: true;
  /** It copies its lines as they are, so that even a long one takes little time. */
  readonly isCopying?: true;
  /** Made ready for all lines of a model. In `zone` times without an offset are read. */
  compile(configs: Configs, zone: string, limit: WorkLimit): Promise<ReadLine>;
}

export interface ParserExample {
  readonly configs?: { readonly [key: string]: Json };
  readonly line: string;
  readonly fields: { readonly [name: string]: Json };
  /** As ISO 8601; absent where the line names none. */
  readonly time?: string;
}

type Configs = Readonly<Record<string, unknown>>;

interface Declaration<P extends Params> extends Omit<Parser, 'configs' | 'compile'> {
  readonly configs: P;
  compile(configs: InputOf<P>, zone: string, limit: WorkLimit): Promise<ReadLine>;
}

/** Infers what `compile` is given, and erases it: it is what the readers of `configs` have read. */
export const parser = <const P extends Params>(declaration: Declaration<P>): Parser => declaration as unknown as Parser;

const CONFIGS = 'parser_configs';

/** What `given` says to a parser. Complaints name the key, as in `parser_configs.columns`. */
export const configsFor = ({ configs }: Parser, given: Json, context: ReadContext, name = CONFIGS): Configs =>
  members(configs)(given, name, context);

export const described = <T>(reader: Reader<T>, description: string): Reader<T> => ({
  ...reader,
  schema: { ...reader.schema, description },
});
