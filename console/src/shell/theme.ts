// Light, dark, or as the system says.

import { useEffect, useState } from 'react';
import { onPreference, readPreference, usePreference, writePreference } from '#console/client/preference.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export const useTheme = (): Theme => themeOf(usePreference('theme'));

export const chooseTheme = (theme: Theme): void => writePreference('theme', theme);

/** Once, before the first paint. */
export function followTheme(): void {
  apply();
  onPreference('theme', apply);
}

function apply(): void {
  const theme = themeOf(readPreference('theme'));
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

const themeOf = (text: string | undefined): Theme => THEMES.find((theme) => theme === text) ?? 'system';

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
