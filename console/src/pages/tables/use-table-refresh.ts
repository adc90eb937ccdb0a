// Loads anew what the page shows of tables.

import { useQueryClient } from '@tanstack/react-query';
import type { JsonOperation } from '#client/call.ts';

const SHOWN: readonly JsonOperation[] = [
  'GET /api/core/tables',
  'GET /api/core/tables/:table',
  'GET /api/core/tables/:table/days',
  'POST /api/core/queries/check',
];

export function useTableRefresh(): () => void {
  const client = useQueryClient();
  return () => {
    for (const operation of SHOWN) void client.invalidateQueries({ queryKey: [operation] });
  };
}
