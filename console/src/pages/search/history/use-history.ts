// Reads and writes the history of the account.

import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { keyOf, useAnswer } from '#console/client/answers.ts';
import { changePreferences } from '#console/client/preference.ts';
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
      const preferences = await changePreferences((before) => ({
        ...before,
        [HISTORY]: next(readHistory(before)).map((entry) => ({ ...entry })),
      }));
      client.setQueryData(keyOf(PREFERENCES, {}), { preferences });
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
