// Short messages that leave by themselves: the outcome of what was just done.

import { createState } from '#console/client/state.ts';
import { IconButton } from '#console/components/button.tsx';
import { Icon } from '#console/components/icon.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import styles from './toast.module.css';

interface Toast {
  readonly id: number;
  readonly kind: 'done' | 'failed';
  readonly text: string;
}

const SHOWN_MS = 6000;
const MAX_TOASTS = 4;

const state = createState<{ readonly next: number; readonly toasts: readonly Toast[] }>({ next: 1, toasts: [] });

export function showToast(text: string, kind: Toast['kind'] = 'done'): void {
  const { next, toasts } = state.get();
  state.set({ next: next + 1, toasts: [...toasts.slice(1 - MAX_TOASTS), { id: next, kind, text }] });
  setTimeout(() => dismiss(next), SHOWN_MS);
}

const dismiss = (id: number): void => {
  const { next, toasts } = state.get();
  state.set({ next, toasts: toasts.filter((toast) => toast.id !== id) });
};

/** Once, in the shell. */
export function Toasts() {
  const labels = useLabels();
  const { toasts } = state.use();
  return (
    <div className={styles.list} role="status" aria-live="polite">
      {toasts.map(({ id, kind, text }) => (
        <div key={id} className={`${styles.toast} ${styles[kind]}`}>
          <Icon name={kind === 'done' ? 'check' : 'alert'} />
          <span className={styles.text}>{text}</span>
          <IconButton size="small" icon="close" label={labels.common.close} onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
