import type { Secret as SecretOut } from '../../api/secrets.ts';
import type { Secret } from '../../domain/secret.ts';
import { timeOf } from './ids-and-times.ts';

interface Facts {
  readonly usedBy: readonly string[];
  /** Why it cannot be read, if it cannot. */
  readonly fault: string | undefined;
}

export function secretView(secret: Secret, { usedBy, fault }: Facts): SecretOut {
  return {
    name: secret.name,
    kind: secret.kind,
    set_at: timeOf(secret.setAt),
    set_by: secret.setBy,
    has_previous: secret.hasPrevious,
    used_by: [...usedBy],
    readable: fault === undefined,
    says: fault ?? null,
  };
}
