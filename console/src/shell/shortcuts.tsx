// Keyboard shortcuts. Each is declared where it acts; the help lists those that act now.

import { createContext, type ReactNode, use, useEffect, useMemo, useRef } from 'react';
import { createState, type State } from '#console/client/state.ts';

export interface Shortcut {
  /** `mod+k`, `?`, `/`, or two keys one after the other: `g s`. `mod` is Ctrl, or ⌘ on a Mac. */
  readonly keys: string;
  readonly label: string;
  readonly scope: 'general' | 'page';
}

interface Bound extends Shortcut {
  act(): void;
}

const SEQUENCE_MS = 1200;

const ShortcutsContext = createContext<State<readonly Bound[]>>(createState<readonly Bound[]>([]));

export function ShortcutsProvider({ children }: { readonly children: ReactNode }) {
  const bound = useMemo(() => createState<readonly Bound[]>([]), []);
  useEffect(() => {
    const listener = keyListener(bound);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, [bound]);
  return <ShortcutsContext value={bound}>{children}</ShortcutsContext>;
}

function keyListener(bound: State<readonly Bound[]>): (event: KeyboardEvent) => void {
  let first: { readonly key: string; readonly at: number } | undefined;
  return (event) => {
    if (event.defaultPrevented || event.altKey) return;
    const hasModifier = event.ctrlKey || event.metaKey;
    if (!hasModifier && isTyping(event.target)) return;
    const key = (hasModifier ? 'mod+' : '') + event.key.toLowerCase();
    const sequence = first && event.timeStamp - first.at < SEQUENCE_MS ? `${first.key} ${key}` : undefined;
    const boundTo = (wanted: string | undefined) => bound.get().findLast(({ keys }) => keys === wanted);
    // `g e` opens a page also where `e` alone does something.
    const found = boundTo(sequence) ?? boundTo(key);
    first = found ? undefined : { key, at: event.timeStamp };
    if (!found) return;
    event.preventDefault();
    found.act();
  };
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName) ||
    target.closest('[role=menu]') !== null);

/** Acts while the component is shown. */
export function useShortcut(keys: string, label: string, act: () => void, scope: Shortcut['scope'] = 'general'): void {
  const bound = use(ShortcutsContext);
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const own: Bound = { keys, label, scope, act: () => latest.current() };
    bound.set([...bound.get(), own]);
    return () => bound.set(bound.get().filter((other) => other !== own));
  }, [bound, keys, label, scope]);
}

export const useShortcuts = (): readonly Shortcut[] => use(ShortcutsContext).use();
