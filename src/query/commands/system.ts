import { QueryError } from '#query/model/query-error.ts';
import { suggestionsFor } from '#query/model/suggestions.ts';
import type { ColumnType } from '#query/model/values.ts';
import { command } from '#query/planning/command.ts';

interface SystemObject {
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly orderedBy: string;
}

/** The objects of `system` with their columns. */
export const SYSTEM_OBJECTS: Readonly<Record<string, SystemObject>> = {
  tables: {
    columns: {
      table_name: 'string',
      layout: 'string',
      compression: 'string',
      retention: 'any',
      encrypted: 'bool',
      min_day: 'date',
      max_day: 'date',
      table_size: 'long',
      index_size: 'long',
      ratio: 'any',
      group_guid: 'string',
      group_name: 'string',
    },
    orderedBy: 'table_name',
  },
  queries: {
    columns: {
      id: 'long',
      source: 'string',
      login_name: 'string',
      remote_ip: 'string',
      rows: 'long',
      elapsed: 'long',
      is_finished: 'bool',
      is_cancelled: 'bool',
      is_scheduled_query: 'bool',
      background: 'bool',
      query_string: 'string',
      start_time: 'date',
      finish_time: 'date',
    },
    orderedBy: 'id',
  },
  nodes: {
    columns: {
      name: 'string',
      type: 'string',
      address: 'string',
      version: 'string',
      is_alive: 'bool',
      last_seen: 'date',
    },
    orderedBy: 'name',
  },
  loggers: {
    columns: {
      guid: 'string',
      name: 'string',
      model: 'string',
      table_name: 'string',
      is_running: 'bool',
      received: 'long',
      stored: 'long',
      failed: 'long',
      last_time: 'date',
    },
    orderedBy: 'name',
  },
};

export const system = command({
  name: 'system',
  class: 'driver',
  syntax: 'system OBJECT',
  summary: 'Rows about the service: `tables`, `queries`, `nodes` or `loggers`.',
  rules: Object.entries(SYSTEM_OBJECTS).map(
    ([name, { columns, orderedBy }]) => `\`${name}\` by \`${orderedBy}\`: ${Object.keys(columns).join(', ')}.`,
  ),
  errors: [95000, 95001],
  examples: [
    {
      tables: { web: [{ a: 1 }] },
      query: 'system tables | search table_name == "web" | fields table_name, layout',
      gives: [{ table_name: 'web', layout: 'columnar' }],
    },
  ],
  read(words) {
    const word = words.takeWord();
    if (!word) throw words.tooFew({ term: 'object' });
    const object = Object.hasOwn(SYSTEM_OBJECTS, word.text) ? SYSTEM_OBJECTS[word.text] : undefined;
    if (object) return { word, object };
    const suggestions = suggestionsFor(word.text, Object.keys(SYSTEM_OBJECTS));
    throw new QueryError(95000, word, { name: word.text }, { suggestions });
  },
  text: ({ word }) => word.text,
  plan({ word, object }, planning) {
    if (!planning.queryContext.systemObjects.has(word.text)) throw new QueryError(95001, word, { name: word.text });
    const columns = Object.entries(object.columns).map(([name, type]) => planning.newColumn(name, type));
    const key = columns.find(({ name }) => name === object.orderedBy);
    const order = key ? { order: [{ column: key.id, descending: false }] } : {};
    return { ...planning.node({ columns, ...order }), ...planning.account, kind: 'system', object: word.text };
  },
});
