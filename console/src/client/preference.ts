// What this browser remembers between visits: language, theme, navigation. Never a key, a code or a text of a log.

type Preference = 'language' | 'theme' | 'navigation';

const nameOf = (preference: Preference): string => `vigil.${preference}`;

export function readPreference(preference: Preference): string | undefined {
  try {
    return localStorage.getItem(nameOf(preference)) ?? undefined;
  } catch {
    // A browser may forbid storage; the console then forgets, and works.
    return undefined;
  }
}

export function writePreference(preference: Preference, value: string): void {
  try {
    localStorage.setItem(nameOf(preference), value);
  } catch {
    // As above.
  }
}
