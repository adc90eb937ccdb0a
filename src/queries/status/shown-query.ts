// A query as `system queries` shows it, and which of them a node is asked for.

import type { QuerySource } from '#queries/names/sources.ts';

/** A query of any node, as nodes tell each other. */
export interface ShownQuery {
  readonly id: number;
  readonly source: QuerySource;
  readonly login_name: string;
  readonly remote_ip: string;
  readonly rows: number;
  readonly elapsed: number;
  readonly is_finished: boolean;
  readonly is_cancelled: boolean;
  readonly is_scheduled_query: boolean;
  readonly background: boolean;
  readonly query_string: string;
  /** Epoch milliseconds. */
  readonly start_time: number;
  /** 0 before the end. */
  readonly finish_time: number;
}

/** Those of the queries of a node that are asked for. */
export interface ShownPart {
  /** Their ids are less. */
  readonly before?: number | undefined;
  /** Bounds of `start_time`, both included. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}
