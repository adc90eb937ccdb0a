// Copies a text, and says so.

import { showToast } from '#console/components/toast.tsx';
import type { Labels } from '#console/labels/en.ts';

export async function copyText(text: string, { search }: Labels, done = search.copied): Promise<void> {
  try {
    // Absent where the page does not come over TLS or from this machine.
    await navigator.clipboard.writeText(text);
    showToast(done);
  } catch {
    showToast(search.copyFailed, 'failed');
  }
}
