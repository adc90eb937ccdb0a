// Loads anew what the page shows of loggers.

import { useQueryClient } from '@tanstack/react-query';
import type { JsonOperation } from '#client/call.ts';

const SHOWN: readonly JsonOperation[] = [
  'GET /api/core/loggers',
  'GET /api/core/loggers/:guid',
  'GET /api/core/loggers/:guid/rates',
  'GET /api/core/logger-models',
  'GET /api/core/parsers',
  'GET /api/core/tables',
];

export function useSourceRefresh(): () => void {
  const client = useQueryClient();
  return () => {
    for (const operation of SHOWN) void client.invalidateQueries({ queryKey: [operation] });
  };
}
