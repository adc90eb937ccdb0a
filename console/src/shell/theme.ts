// Light, dark, or as the system says.

import { useEffect, useState } from 'react';
import { readPreference, writePreference } from '#console/client/preference.ts';
import { createState } from '#console/client/state.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const state = createState<Theme>('system');
export const useTheme = state.use;

/** Before the first paint. */
export const applyStoredTheme = (): void =>
  apply(THEMES.find((theme) => theme === readPreference('theme')) ?? 'system');

export function chooseTheme(theme: Theme): void {
  writePreference('theme', theme);
  apply(theme);
}

function apply(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  state.set(theme);
}

/** Whether the page is dark now: for drawings on a canvas, which do not follow by themselves. */
export function useIsDark(): boolean {
  const theme = useTheme();
  const [isSystemDark, setSystemDark] = useState(() => matchMedia(DARK).matches);
  useEffect(() => {
    const query = matchMedia(DARK);
    const follow = () => setSystemDark(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  return theme === 'system' ? isSystemDark : theme === 'dark';
}

const DARK = '(prefers-color-scheme: dark)';
