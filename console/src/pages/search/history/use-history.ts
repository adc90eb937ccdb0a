// Reads and writes the history of the account.

import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { keyOf, useAnswer } from '#console/client/answers.ts';
import { call } from '#console/client/call.ts';
import { HISTORY, type HistoryEntry, readHistory, remembered } from './entries.ts';

const PREFERENCES = 'GET /api/core/preferences';

export interface History {
  readonly entries: readonly HistoryEntry[];
  add(entry: HistoryEntry): void;
  clear(): void;
}

export function useHistory(): History {
  const client = useQueryClient();
  const { data } = useAnswer(PREFERENCES, {});
  const change = useCallback(
    async (next: (entries: readonly HistoryEntry[]) => readonly HistoryEntry[]) => {
      // Preferences are replaced as a whole: another tab may have changed them.
      const { preferences } = await call(PREFERENCES);
      const changed = { ...preferences, [HISTORY]: next(readHistory(preferences)).map((entry) => ({ ...entry })) };
      await call('PUT /api/core/preferences', { preferences: changed });
      client.setQueryData(keyOf(PREFERENCES, {}), { preferences: changed });
    },
    [client],
  );
  return {
    entries: data ? readHistory(data.preferences) : [],
    // A history that cannot be written stops no search.
    add: useCallback((entry) => void change((entries) => remembered(entries, entry)).catch(() => undefined), [change]),
    clear: useCallback(() => void change(() => []).catch(() => undefined), [change]),
  };
}
