// Whether the signature of a checkpoint fits its key.

import { useEffect, useState } from 'react';
import { StatusBadge } from '#console/components/badge.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { keyFor, type PublicKeys } from './audit-keys.ts';
import { type Checkpoint, hasValidSignature } from './signatures.ts';

interface SignatureCheckProps {
  readonly checkpoint: Checkpoint;
  /** Of all nodes. */
  readonly publicKeys: PublicKeys;
}

export function SignatureCheck({ checkpoint, publicKeys }: SignatureCheckProps) {
  const { audit: labels } = useLabels();
  const key = keyFor(checkpoint, publicKeys);
  const [outcome, setOutcome] = useState<boolean | 'checking' | undefined>('checking');
  useEffect(() => {
    if (key === undefined) return;
    let isShown = true;
    void hasValidSignature(checkpoint, key).then((isValid) => isShown && setOutcome(isValid));
    return () => {
      isShown = false;
    };
  }, [checkpoint, key]);
  if (key === undefined) return labels.keyLost;
  if (outcome === 'checking') return labels.checking;
  if (outcome === undefined) return labels.uncheckable;
  return <StatusBadge tone={outcome ? 'good' : 'high'}>{outcome ? labels.fits : labels.fails}</StatusBadge>;
}
