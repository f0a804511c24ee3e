import { z } from 'zod';

/** What the programs of one run may use together. */
export const LimitsInput = z
  .strictObject({
    cpu: z.number().min(0.05).max(1_024).nullable().default(null),
    memory_mb: z.int().min(64).max(10_000_000).nullable().default(null),
    pids: z.int().min(8).max(1_000_000).nullable().default(null),
  })
  .meta({ id: 'LimitsInput' });

export const Limits = z.object({
  cpu: z.number().nullable(),
  memory_mb: z.number().nullable(),
  pids: z.int().nullable(),
});

const MB = 1024 ** 2;

/** In the units the hall uses. */
export function limitsFrom({ cpu, memory_mb, pids }: z.output<typeof Limits>) {
  return { cpus: cpu, memoryBytes: memory_mb === null ? null : memory_mb * MB, pids };
}

export function limitsView({ cpus, memoryBytes, pids }: ReturnType<typeof limitsFrom>) {
  return { cpu: cpus, memory_mb: memoryBytes === null ? null : memoryBytes / MB, pids };
}
