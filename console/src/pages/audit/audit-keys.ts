// The keys that signed the checkpoints: the present one, and those before a renewal, which its entry names.

import { useAnswer } from '#console/client/answers.ts';

export interface Renewal {
  readonly id: number;
  /** Undefined where the service did not know it any more. */
  readonly oldKey: string | undefined;
}

/** Oldest first. */
export function useRenewals() {
  const answer = useAnswer('GET /api/core/audit-logs', { actions: ['service.renew-audit'] });
  const renewals = answer.data?.audit_logs
    .map(({ id, msg_params }): Renewal => {
      const key = msg_params?.old_public_key;
      return { id, oldKey: typeof key === 'string' ? key : undefined };
    })
    .sort((one, other) => one.id - other.id);
  return { answer, renewals };
}

/** The key of the checkpoint at an entry; undefined where it is not known. */
export function keyFor(id: number, present: string, renewals: readonly Renewal[]): string | undefined {
  const next = renewals.find((renewal) => id < renewal.id);
  return next ? next.oldKey : present;
}
