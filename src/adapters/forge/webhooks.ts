import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { ForgeKind } from '../../domain/forge/forge-kind.ts';
import type { DeliveredHint, Delivery, ForgeWebhooks } from '../../ports/forge-webhooks.ts';

/** The header that each forge signs. A forge's own header decides: no other one rescues a wrong one. */
const SIGNATURES = {
  github: ['x-hub-signature-256', 'sha256='],
  gitea: ['x-gitea-signature', ''],
  forgejo: ['x-forgejo-signature', ''],
} as const satisfies Record<ForgeKind, readonly [header: string, prefix: string]>;

const DELIVERY_IDS = {
  github: 'x-github-delivery',
  gitea: 'x-gitea-delivery',
  forgejo: 'x-forgejo-delivery',
} as const satisfies Record<ForgeKind, string>;

export function createForgeWebhooks(kind: ForgeKind): ForgeWebhooks {
  const [header, prefix] = SIGNATURES[kind];
  return {
    isGenuine(delivery, secrets) {
      const sent = delivery.header(header) ?? '';
      if (!sent.startsWith(prefix)) return false;
      return secrets.some((secret) =>
        isSignedWith(delivery.body, secret, sent.slice(prefix.length)),
      );
    },
    read: (delivery) => readHint(delivery, DELIVERY_IDS[kind]),
  };
}

/** The headers of a delivery that the hall sends to itself. */
export function signedHeaders(
  kind: ForgeKind,
  body: Buffer,
  secret: string,
): Readonly<Record<string, string>> {
  const [header, prefix] = SIGNATURES[kind];
  return { [header]: `${prefix}${createHmac('sha256', secret).update(body).digest('hex')}` };
}

function isSignedWith(body: Buffer, secret: string, signature: string): boolean {
  if (secret === '' || !/^[0-9a-f]{64}$/.test(signature)) return false;
  const expected = createHmac('sha256', secret).update(body).digest();
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'));
}

const Numbered = z.object({ number: z.int().positive() });
const OnCommit = z.object({
  head_sha: z.string().optional(),
  head_branch: z.string().nullish(),
  pull_requests: z.array(Numbered).optional(),
});

/** Forges send far more; these are the only facts taken from a delivery. */
const Payload = z.object({
  repository: z.object({ full_name: z.string() }).optional(),
  issue: Numbered.optional(),
  pull_request: Numbered.optional(),
  check_run: OnCommit.optional(),
  check_suite: OnCommit.optional(),
  workflow_run: OnCommit.optional(),
  workflow_job: OnCommit.optional(),
  run: z.object({ commit_sha: z.string().optional() }).optional(),
  sha: z.string().optional(),
  ref: z.string().optional(),
  after: z.string().optional(),
});

function readHint({ header, body }: Delivery, idHeader: string): DeliveredHint | undefined {
  const payload = payloadIn(body);
  if (payload === undefined) return undefined;
  const { repository, issue, pull_request: pull, ref, after, sha, run } = payload;
  const onCommit = [
    payload.check_run,
    payload.check_suite,
    payload.workflow_run,
    payload.workflow_job,
  ];
  return {
    id: header(idHeader) ?? '',
    repo: repository?.full_name ?? null,
    numbers: [issue, pull, ...onCommit.flatMap((each) => each?.pull_requests ?? [])].flatMap(
      (each) => each?.number ?? [],
    ),
    commits: [sha, after, run?.commit_sha, ...onCommit.map((each) => each?.head_sha)].flatMap(
      (each) => each ?? [],
    ),
    branches: [branchIn(ref), ...onCommit.map((each) => each?.head_branch)].flatMap(
      (each) => each ?? [],
    ),
  };
}

/** A field of another form than ours says nothing to us; it is no reason to refuse the delivery. */
function payloadIn(body: Buffer): z.output<typeof Payload> | undefined {
  try {
    const json: unknown = JSON.parse(body.toString('utf8'));
    if (typeof json !== 'object' || json === null) return undefined;
    const whole = Payload.safeParse(json);
    if (whole.success) return whole.data;
    const wrong = new Set(whole.error.issues.map(({ path }) => String(path[0])));
    const usable = Object.entries(json).filter(([key]) => !wrong.has(key));
    return Payload.parse(Object.fromEntries(usable));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function branchIn(ref: string | undefined): string | undefined {
  return /^refs\/heads\/(.+)$/s.exec(ref ?? '')?.[1];
}
