// A place for files: dropped there, or chosen by the button in it.

import { type DragEvent, useId, useState } from 'react';
import { Icon } from '#console/components/icon.tsx';
import styles from './file-drop.module.css';

interface FileDropProps {
  /** What the files are for. */
  readonly label: string;
  readonly hint?: string;
  readonly isDisabled?: boolean;
  readonly takesMany?: boolean;
  onFiles(files: readonly File[]): void;
}

export function FileDrop({ label, hint, isDisabled = false, takesMany = false, onFiles }: FileDropProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null) => {
    const taken = [...(files ?? [])].slice(0, takesMany ? undefined : 1);
    if (taken.length > 0 && !isDisabled) onFiles(taken);
  };
  const hover = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    // Without it the browser opens the file.
    event.preventDefault();
    event.dataTransfer.dropEffect = isDisabled ? 'none' : 'copy';
    setOver(!isDisabled);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Files are dropped by pointer alone; the field inside takes them by keyboard.
    <div
      className={isOver ? `${styles.drop} ${styles.over}` : styles.drop}
      onDragOver={hover}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <Icon name="sources" size={24} />
      <label htmlFor={id} className={styles.choose}>
        {label}
      </label>
      {/* Its own button speaks the language of the browser. */}
      <input
        id={id}
        className="visually-hidden"
        type="file"
        multiple={takesMany}
        disabled={isDisabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={({ target }) => {
          take(target.files);
          // The same file may be chosen again.
          target.value = '';
        }}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
