// Light, dark, or as the system says.

import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => void vi.unstubAllGlobals());

it('The page follows the theme that the reader chooses, and the system for any other text', async () => {
  vi.resetModules();
  const dataset: { theme?: string } = {};
  vi.stubGlobal('document', { documentElement: { dataset } });
  vi.stubGlobal('localStorage', { getItem: () => 'dark', setItem: () => undefined });
  const { chooseTheme, followTheme } = await import('./theme.ts');
  const { writePreference } = await import('#console/client/preference.ts');
  followTheme();
  expect(dataset).toEqual({ theme: 'dark' });
  chooseTheme('light');
  expect(dataset).toEqual({ theme: 'light' });
  writePreference('theme', 'purple');
  expect(dataset).toEqual({});
  chooseTheme('dark');
  chooseTheme('system');
  expect(dataset).toEqual({});
});
