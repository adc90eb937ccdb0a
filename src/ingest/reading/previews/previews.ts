// Previews of parsers in threads of their own: lines and parsers come from a request, and nothing is kept.

import { parserNamed } from '#ingest/parsers/index.ts';
import type { ParserKind } from '#ingest/parsers/kinds.ts';
import { guidsIn } from '#ingest/reading/model-groups.ts';
import { TRIAL_HEAP_MEGABYTES, type TrialThread, TrialThreads } from '#ingest/threads/trial-threads.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { JsonObject } from '#operations/params/json-params.ts';
import { WorkerThread } from '#runtime/threads.ts';
import { workerFile } from '#runtime/worker-file.ts';
import { addressesOf } from '#store/rows/addresses.ts';
import { everyParser } from '#store/rows/parsers.ts';
import type { ParserRow } from '#store/schema/schema.ts';
import type { Store } from '#store/store.ts';
import type { PreviewAnswer, PreviewInput, PreviewTask } from './preview.ts';

/** Sizes of messages to a thread. */
const ENTRIES_PER_TURN = 10_000;
const PARSERS_PER_TURN = 200;
/** No stored parser has it. */
const DRAFT_CODE = '';

interface PreviewRequest {
  /** Account of the request. */
  readonly account: string;
  readonly lines: readonly string[];
  readonly parser: PreviewedParser;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** A parser by its code, where `configs` are those of a built-in one, or one that is being written. */
export type PreviewedParser =
  | { readonly code: string; readonly configs: JsonObject }
  | { readonly kind: ParserKind; readonly configs: JsonObject };

interface PreviewsDeps extends Pick<PreviewTask, 'zone' | 'ruleSteps' | 'lineBytes'> {
  readonly store: Store;
  readonly clock: Clock;
}

export class Previews {
  readonly #deps: PreviewsDeps;
  readonly #threads: TrialThreads<ThreadRequest, PreviewAnswer>;

  constructor(deps: PreviewsDeps) {
    this.#deps = deps;
    this.#threads = new TrialThreads({ clock: deps.clock, start: () => new PreviewThread() });
  }

  /** The result of each line, as JSON. Refuses a preview beyond the timeout, and any preview while too many wait. */
  async run({ account, lines, parser, signal }: PreviewRequest): Promise<readonly string[]> {
    const { clock, zone, ruleSteps, lineBytes } = this.#deps;
    const now = clock.now().epochMilliseconds;
    const known = await this.#parsersFor(parser);
    const groups = await this.#groupsIn(known, now);
    const named = 'code' in parser ? { parserCode: parser.code, configs: parser.configs } : DRAFT;
    const task = { ...named, lines, zone, now, ruleSteps, lineBytes };
    return await this.#threads.run({ account, signal, inputs: inputsOf(known, groups, task) });
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }

  /** A pipeline may name others, so all of them go together. */
  async #parsersFor(parser: PreviewedParser): Promise<readonly ParserRow[]> {
    const needsStored = 'code' in parser ? !parserNamed(parser.code) : parser.kind === 'query';
    const stored = needsStored ? await this.#deps.store.read(everyParser) : [];
    return 'code' in parser ? stored : [...stored, draftRow(parser.kind, parser.configs)];
  }

  async #groupsIn(parsers: readonly ParserRow[], now: number): Promise<ReadonlyMap<string, readonly string[]>> {
    const guids = [...new Set(parsers.flatMap(({ configs }) => guidsIn(configs ?? '')))];
    return guids.length === 0 ? new Map() : await this.#deps.store.read((db) => addressesOf(db, guids, now));
  }
}

const DRAFT = { parserCode: DRAFT_CODE, configs: {} };

const draftRow = (kind: ParserKind, configs: JsonObject): ParserRow => ({
  code: DRAFT_CODE,
  name: '',
  description: null,
  factory_name: kind,
  configs: JSON.stringify(configs),
  schema_code: null,
  search: '',
  created_at: 0,
  updated_at: 0,
});

interface ThreadRequest {
  readonly account: string;
  readonly signal: AbortSignal;
  readonly inputs: Iterable<PreviewInput>;
}

function* inputsOf(
  parsers: readonly ParserRow[],
  groups: ReadonlyMap<string, readonly string[]>,
  task: PreviewTask,
): Generator<PreviewInput> {
  for (let at = 0; at < parsers.length; at += PARSERS_PER_TURN) {
    yield { parsers: parsers.slice(at, at + PARSERS_PER_TURN) };
  }
  for (const [group, entries] of groups) {
    // An empty group exists, too.
    for (let at = 0; at === 0 || at < entries.length; at += ENTRIES_PER_TURN) {
      yield { group, entries: entries.slice(at, at + ENTRIES_PER_TURN) };
    }
  }
  yield { task };
}

class PreviewThread
  extends WorkerThread<PreviewInput, PreviewAnswer>
  implements TrialThread<ThreadRequest, PreviewAnswer>
{
  constructor() {
    super({
      file: workerFile('./preview-worker.ts', import.meta.url),
      heapMegabytes: TRIAL_HEAP_MEGABYTES,
      keepsProcess: false,
    });
  }

  /** The last input has the answer. */
  async run({ inputs }: ThreadRequest, gone: AbortSignal): Promise<PreviewAnswer> {
    let results: PreviewAnswer = [];
    for (const input of inputs) results = await this.ask(input, { gone });
    return results;
  }
}
