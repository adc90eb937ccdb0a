// Copies a text, and says so.

import type { Labels } from '#console/labels/en.ts';
import { showToast } from './overlays/toast.tsx';

export async function copyText(text: string, { common }: Labels, done = common.copied): Promise<void> {
  try {
    // Absent where the page does not come over TLS or from this machine.
    await navigator.clipboard.writeText(text);
    showToast(done);
  } catch {
    showToast(common.copyFailed, 'failed');
  }
}
