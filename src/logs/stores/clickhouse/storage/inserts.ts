// An insert under a token. One of which nothing says whether it was carried out is repeated under the same token until it is
// answered: the server knows tokens, so its rows are stored once.

import type { Clock } from '#kernel/time/clock.ts';
import type { ClickhouseClient } from '#logs/stores/clickhouse/server/client.ts';
import { NoAnswer, StatementFailed } from '#logs/stores/clickhouse/server/failures.ts';
import { type RetryDelays, retry } from '#runtime/retry.ts';

export interface TokenInsert {
  /** Ends with the format of the data. */
  readonly statement: string;
  readonly data: Buffer;
  readonly token: string;
}

interface InsertDeps {
  readonly clock: Clock;
  /** Ends the repetition; the rejection then says that nothing is known. */
  readonly signal: AbortSignal;
}

const DELAYS: RetryDelays = { ms: [100, 200, 400, 800, 1600, 3200, 5000], isEndless: true };
/** A large insert into a busy server; one that takes longer is repeated under its token. */
const DEADLINE = Temporal.Duration.from({ minutes: 2 });
/** More rows than any insert has: it becomes one block, which is stored whole or not at all. */
const MAX_BLOCK_ROWS = 100_000_000;

/** The same statement still runs there. */
const SAME_ID = 216;
const UNKNOWN_TABLE = 60;

/** Rejects where nothing was stored, and where the signal ends an insert in doubt. */
export async function insertUnderToken(
  client: ClickhouseClient,
  { statement, data, token }: TokenInsert,
  { clock, signal }: InsertDeps,
): Promise<void> {
  const settings = {
    async_insert: 0,
    insert_deduplicate: 1,
    insert_deduplication_token: token,
    max_insert_block_size: MAX_BLOCK_ROWS,
    input_format_parallel_parsing: 0,
    max_insert_threads: 1,
  };
  let isInDoubt = false;
  await retry(() => client.insert(statement, data, { settings, queryId: token, deadline: DEADLINE }), {
    clock,
    delays: DELAYS,
    signal,
    mayRetry(error) {
      isInDoubt ||= leavesDoubt(error);
      return isInDoubt && !isGone(error);
    },
  });
}

const leavesDoubt = (error: unknown): boolean =>
  error instanceof NoAnswer ? !error.isUnsent : error instanceof StatementFailed && error.code === SAME_ID;

const isGone = (error: unknown): boolean => error instanceof StatementFailed && error.code === UNKNOWN_TABLE;
