// What a reader has chosen: language, theme, time zone, navigation. The browser remembers it, so that it is known before the
// first paint, without a session and without a connection; what does not concern this browser alone is kept with the account
// too, as is what pages remember there. Never a key, a code or a text of a log in the browser.

import type { AnswerFor } from '#client/call.ts';
import { call } from './call.ts';
import { onReconnected } from './connection.ts';
import { isSignedIn } from './session.ts';
import { createState, type State } from './state.ts';

const OF_ACCOUNT = ['language', 'theme', 'timeZone'] as const;
type AccountPreference = (typeof OF_ACCOUNT)[number];
type Preference = AccountPreference | 'navigation';

export type Preferences = AnswerFor<'GET /api/core/preferences'>['preferences'];

const states = new Map<string, State<string | undefined>>();

/** `unsaved` holds the names of choices that have not reached the account. */
function stateOf(name: Preference | 'unsaved'): State<string | undefined> {
  const known = states.get(name);
  if (known) return known;
  const made = createState(storedText(name));
  states.set(name, made);
  return made;
}

export const readPreference = (preference: Preference): string | undefined => stateOf(preference).get();
export const usePreference = (preference: Preference): string | undefined => stateOf(preference).use();
export const onPreference = (preference: Preference, listener: () => void): (() => void) =>
  stateOf(preference).subscribe(listener);

export function writePreference(preference: Preference, value: string): void {
  keep(preference, value);
  if (!isOfAccount(preference)) return;
  keep('unsaved', [...new Set([...unsavedNames(), preference])].join(' '));
  if (isSignedIn()) void syncPreferences();
}

/** Once, at the beginning: other tabs change preferences too, and a lost connection holds choices back. */
export function watchPreferences(): void {
  addEventListener('storage', ({ key, newValue }) => {
    const name = key?.startsWith(PREFIX) ? key.slice(PREFIX.length) : '';
    states.get(name)?.set(newValue ?? undefined);
  });
  onReconnected(() => {
    if (isSignedIn() && unsavedNames().length > 0) void syncPreferences();
  });
}

/** Resolves when the choices of the account hold here too. A choice that it does not have yet is saved there instead. */
export async function syncPreferences(): Promise<void> {
  try {
    const unsaved = unsavedNames();
    const { preferences } = unsaved.length === 0 ? await call('GET /api/core/preferences') : await saveChoices(unsaved);
    for (const name of OF_ACCOUNT) {
      const value = preferences[name];
      if (typeof value === 'string' && !unsavedNames().includes(name)) keep(name, value);
    }
  } catch {
    // What the browser remembers serves until the service answers.
  }
}

async function saveChoices(names: readonly AccountPreference[]) {
  const chosen = Object.fromEntries(names.map((name) => [name, readPreference(name) ?? null]));
  const preferences = await changePreferences((before) => ({ ...before, ...chosen }));
  const isSaved = (name: AccountPreference) => names.includes(name) && readPreference(name) === chosen[name];
  keep(
    'unsaved',
    unsavedNames()
      .filter((name) => !isSaved(name))
      .join(' '),
  );
  return { preferences };
}

/** The service replaces preferences as a whole: one tab at a time reads, changes and writes them. */
export async function changePreferences(change: (before: Preferences) => Preferences): Promise<Preferences> {
  const write = async (): Promise<Preferences> => {
    const { preferences } = await call('GET /api/core/preferences');
    const changed = change(preferences);
    await call('PUT /api/core/preferences', { preferences: changed });
    return changed;
  };
  // Without a secure context there are no locks.
  return await (navigator.locks ? navigator.locks.request(`${PREFIX}preferences`, write) : write());
}

/** False in a browser that knows nothing of its reader yet. */
export const isRemembered = (): boolean => OF_ACCOUNT.some((name) => readPreference(name) !== undefined);

const isOfAccount = (preference: Preference): preference is AccountPreference =>
  OF_ACCOUNT.some((name) => name === preference);

function unsavedNames(): readonly AccountPreference[] {
  const names = stateOf('unsaved').get()?.split(' ') ?? [];
  return OF_ACCOUNT.filter((name) => names.includes(name));
}

const PREFIX = 'vigil.';

function storedText(name: string): string | undefined {
  try {
    return localStorage.getItem(PREFIX + name) ?? undefined;
  } catch {
    // A browser may forbid storage; the console then forgets, and works.
    return undefined;
  }
}

function keep(name: Preference | 'unsaved', value: string): void {
  stateOf(name).set(value);
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // As above.
  }
}
