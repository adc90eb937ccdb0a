// Messages between the main thread and a thread that reads lines. A model and the address groups that it refers to are sent once,
// and again after a change.

import type { Reason } from '#ingest/decode/record.ts';
import type { Log } from '#ingest/intake.ts';
import type { Model, Schemas } from '#ingest/reading/model.ts';
import type { ReadTask } from '#ingest/reading/reader.ts';
import type { Shape } from '#logs/log-store.ts';
import type { ParserRow } from '#store/schema/schema.ts';

export type ReadingContent =
  | { readonly kind: 'model'; readonly serial: number; readonly model: ModelParts }
  /** Further entries of a group; the first ones replace those before. */
  | { readonly kind: 'group'; readonly guid: string; readonly entries: readonly string[]; readonly isFirst: boolean }
  /** Removes all models and groups. */
  | { readonly kind: 'clear' }
  | { readonly kind: 'read'; readonly reading: Reading };

/** What a model is compiled from. */
export interface ModelParts {
  readonly model: Model;
  readonly schemas: Schemas;
  readonly parsers: readonly ParserRow[];
  readonly zone: string;
  readonly table: string;
  readonly ruleSteps: number;
}

interface Reading {
  /** Of the model. */
  readonly serial: number;
  /** GUIDs of the groups that exist. */
  readonly groups: readonly string[];
  /** Epoch milliseconds. */
  readonly now: number;
  readonly task: ReadTask;
}

/** A log, without its shape if it has very many fields. */
export type ReadLog = Omit<Log, 'shape'> & { readonly shape?: Shape };

export interface ReadingAnswer {
  /** Absent where nothing was read. */
  readonly outcome?: ReadLog | Reason;
  readonly failure?: Error;
}
