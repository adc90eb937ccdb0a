// Stored parsers for the lines of logs.

import type { WorkLimit } from '#ingest/reading/work-limit.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { ReadContext } from '#operations/params/params.ts';
import type { AddressGroup } from '#query/values/addresses/address-group.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import type { ParserRow } from '#store/schema/schema.ts';
import { isKind, KINDS } from './kinds.ts';
import { configsFor, type ReadLine } from './parser.ts';

/** By code. A text of one may name others, so all of them go together. */
export type StoredParsers = ReadonlyMap<string, ParserRow>;

export const NO_PARSERS: StoredParsers = new Map();

interface ParserContext {
  readonly zone: string;
  readonly clock: Clock;
  readonly limit: WorkLimit;
  readonly parsers: StoredParsers;
  groups(): ReadonlyMap<string, AddressGroup>;
}

/** The user of parsers: user() in a pipeline gives it. */
const SERVICE = 'system';

/** Undefined for a parser of a kind that does not exist. */
export async function storedReadLine(
  { factory_name, configs }: ParserRow,
  context: ParserContext,
): Promise<ReadLine | undefined> {
  if (!isKind(factory_name)) return undefined;
  const given = JSON.parse(configs ?? '{}');
  const kind = KINDS[factory_name];
  const reading: ReadContext = { now: context.clock.now(), maxGuids: Number.POSITIVE_INFINITY };
  if (factory_name !== 'query')
    return await kind.compile(configsFor(kind, given, reading), context.zone, context.limit);
  return await pipelineReadLine(String(given.query ?? ''), context);
}

/** A text that names what has gone reads no line, until that comes back. */
async function pipelineReadLine(text: string, { zone, clock, limit, parsers, groups }: ParserContext) {
  const [{ compileLineParser }, { StepMeter }, { QueryError }, { BUILT_IN_PARSERS, storedParser }] = await Promise.all([
    import('#query/rules/line-parser.ts'),
    import('#query/values/steps.ts'),
    import('#query/model/query-error.ts'),
    import('#query/planning/stored-parsers.ts'),
  ]);
  const known = [...parsers.values()].flatMap(({ code, factory_name, configs }) => {
    const one = storedParser(factory_name, JSON.parse(configs ?? '{}'));
    return one ? [[code, one] as const] : [];
  });
  try {
    const compiling = compileLineParser(text, {
      zone,
      user: SERVICE,
      constants: new Map(),
      groups,
      now: () => clock.now(),
      steps: new StepMeter(limit.ruleSteps),
      exceed: () => limit.exceed(),
      parsers: new Map([...BUILT_IN_PARSERS, ...known]),
    });
    const parse = await eventLoop.runInSlots(compiling);
    const read: ReadLine = (line) => {
      const fields = parse(line);
      return fields && { fields };
    };
    return read;
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const unreadable: ReadLine = () => undefined;
    return unreadable;
  }
}
