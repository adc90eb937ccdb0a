// Step one: what sends the logs.

import { Icon, type IconName } from '#console/components/icon.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import styles from './add.module.css';
import { KIND_IDS, type KindId } from './kinds.ts';

const ICONS: Readonly<Record<KindId, IconName>> = {
  curl: 'sources',
  otlp: 'events',
  rsyslog: 'list',
  'fluent-bit': 'filter',
  vector: 'share',
  filebeat: 'copy',
  syslog: 'bell',
  file: 'tables',
};

interface KindStepProps {
  readonly chosen: KindId | undefined;
  onChoose(kind: KindId): void;
}

export function KindStep({ chosen, onChoose }: KindStepProps) {
  const { sources: labels } = useLabels();
  return (
    <ul className={styles.kinds}>
      {KIND_IDS.map((kind) => (
        <li key={kind}>
          <button type="button" className={styles.kind} aria-pressed={kind === chosen} onClick={() => onChoose(kind)}>
            <Icon name={ICONS[kind]} size={20} />
            <strong>{labels.kinds[kind].name}</strong>
            <span>{labels.kinds[kind].text}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
