// The list of keyboard shortcuts.

import { Dialog } from '#console/components/overlays/dialog.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import styles from './shortcut-help.module.css';
import { useShortcuts } from './shortcuts.tsx';

export function ShortcutHelp({ isOpen, onClose }: { readonly isOpen: boolean; onClose(): void }) {
  const { shell, shortcuts: texts } = useLabels();
  const shortcuts = useShortcuts();
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={shell.help}>
      {(['general', 'page'] as const).map((scope) => {
        const own = shortcuts.filter((shortcut) => shortcut.scope === scope);
        if (own.length === 0) return undefined;
        return (
          <section key={scope} className={styles.group}>
            <h3>{texts[scope]}</h3>
            <dl>
              {own.map(({ keys, label }) => (
                <div key={keys} className={styles.line}>
                  <dt>{label}</dt>
                  <dd>
                    <Keys keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        );
      })}
    </Dialog>
  );
}

const NAMES: Readonly<Record<string, string>> = { mod: 'Ctrl', enter: 'Enter', escape: 'Esc' };

const Keys = ({ keys }: { readonly keys: string }) =>
  keys.split(' ').map((step) => (
    <span key={step} className={styles.keys}>
      {step.split('+').map((key) => (
        <kbd key={key}>{NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key)}</kbd>
      ))}
    </span>
  ));
