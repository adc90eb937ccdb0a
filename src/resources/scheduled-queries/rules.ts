// Shared by creation and update of a scheduled query.

import { precedingCycle } from '#contract/errors.ts';
import { searchText } from '#kernel/text/search-text.ts';
import type { InputOf } from '#operations/params/params.ts';
import type { Db } from '#store/kysely.ts';
import type { ScheduledQueryRow } from '#store/schema/schedule-schema.ts';
import type { fields } from './params.ts';
import { precedingOf } from './store.ts';

/** Refuses a preceding query that leads to a cycle. */
export async function requireNoCycle(db: Db, guid: string, preceding: string | undefined): Promise<void> {
  for (let one: string | null | undefined = preceding; one; one = await precedingOf(db, one)) {
    if (one === guid) throw precedingCycle(preceding ?? guid);
  }
}

/** The columns of the input; missing values are reset. */
export function columnsOf(input: InputOf<typeof fields>) {
  const { name, description = null, query } = input;
  return {
    name,
    description,
    enabled: Number(input.enabled),
    query,
    trigger_type: input.trigger_type,
    cron_schedule: input.cron_schedule ?? null,
    preceding_guid: input.preceding_guid ?? null,
    preceding_action: input.preceding_action ?? null,
    node_types: input.node_types && input.node_types.length > 0 ? JSON.stringify(input.node_types) : null,
    output_parameter: Number(input.output_parameter),
    search: searchText([name, description, query]),
  } satisfies Partial<ScheduledQueryRow>;
}
