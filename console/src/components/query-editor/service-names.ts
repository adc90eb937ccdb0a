// Names that the editor completes, from the service: commands, tables, and the fields of a pipeline. Answers are shared and kept
// for a while.

import type { QueryClient } from '@tanstack/react-query';
import type { JsonOperation, RequestFor } from '#client/call.ts';
import { keyOf } from '#console/client/answers.ts';
import { ask, callWith } from '#console/client/call.ts';
import type { Locale } from '#contract/values.ts';
import type { Names } from './completion.ts';
import { OWN_COMMANDS, withOwnCommands } from './own-commands.ts';

const KEPT_MS = 30_000;
export const ALL_TABLES = { limit: 10_000 };

export function serviceNames(client: QueryClient, locale: Locale): Names {
  const kept = <O extends JsonOperation>(operation: O, params: RequestFor<O>) =>
    client.fetchQuery({
      queryKey: keyOf(operation, params),
      queryFn: ({ signal }) => callWith({ signal }, operation, params),
      staleTime: KEPT_MS,
    });
  return {
    async catalogue() {
      const [catalogue, { procedures }] = await Promise.all([
        kept('GET /api/core/query-language', { locale }),
        kept('GET /api/core/procedures', OWN_COMMANDS),
      ]);
      return withOwnCommands(catalogue, procedures);
    },
    tables: async () => (await kept('GET /api/core/tables', ALL_TABLES)).tables.map(({ table_name }) => table_name),
    async fields(pipeline) {
      const { columns, commands, tables } = await kept('POST /api/core/queries/check', { q: pipeline });
      // A text that is not finished has no columns; those of its last command that can be read serve.
      const known = columns.length > 0 ? columns : (commands.findLast((one) => one.columns !== null)?.columns ?? []);
      const names = known.map(({ name }) => name);
      return [...new Set([...names, ...(names.every(isSystemField) ? await sampleFields(client, tables) : [])])];
    },
  };
}

const isSystemField = (name: string): boolean => name.startsWith('_');

const SAMPLE_ROWS = 20;
const MAX_SAMPLED = 3;
const SAMPLE_KEPT_MS = 600_000;

/** A table of rows declares no columns: the fields of its newest records serve. */
async function sampleFields(client: QueryClient, tables: readonly string[]): Promise<readonly string[]> {
  const samples = tables.slice(0, MAX_SAMPLED).map((table) => {
    const params = { q: `table ${table} | limit ${SAMPLE_ROWS}`, format: 'json' as const, read_only: true };
    return client.fetchQuery({
      queryKey: ['fields', params],
      queryFn: async ({ signal }) => namesIn(await (await ask('GET /api/core/query', params, { signal })).text()),
      staleTime: SAMPLE_KEPT_MS,
    });
  });
  // A table without records, or one that the reader may not read, has no names to offer.
  return (await Promise.allSettled(samples)).flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
}

const namesIn = (lines: string): readonly string[] => [
  ...new Set(lines.split('\n').flatMap((line) => (line === '' ? [] : Object.keys(JSON.parse(line))))),
];
