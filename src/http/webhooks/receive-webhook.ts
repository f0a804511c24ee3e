import { hash } from 'node:crypto';
import type { ForgeDeliveries } from '../../board/forge-deliveries.ts';
import type { Hall } from '../../board/hall.ts';
import { requireLeading } from '../../board/leader.ts';
import { looksUnderWay } from '../../board/looks-under-way.ts';
import { isReplayed } from '../../board/replay-response.ts';
import { requestLooks } from '../../domain/forge/request-looks.ts';
import { isRefusal } from '../../domain/refusal.ts';
import type { Delivery, ForgeWebhooks } from '../../ports/forge-webhooks.ts';
import type { Log } from '../../ports/log.ts';
import { problem } from '../problem.ts';
import type { Answer } from '../send.ts';

/** How deliveries of a connected forge are checked. */
export interface WebhookSource {
  readonly webhooks: ForgeWebhooks;
  /** Two while a secret is being rotated; none where no webhook is expected. */
  readonly secrets: () => readonly string[];
}

interface Needs {
  readonly hall: Hall;
  readonly log: Log;
  readonly webhookSource: (forge: string) => WebhookSource | undefined;
  readonly deliveries: Pick<ForgeDeliveries, 'received' | 'refused'>;
}

export type ReceiveWebhook = (forge: string, delivery: Delivery) => Promise<Answer>;

/**
 * Takes a delivery: the signature first, then only which threads to look at. Answers when the marks are
 * stored, so that a delivery the forge counts as received is never lost.
 */
export function createWebhookReceiver(needs: Needs): ReceiveWebhook {
  const { hall, log } = needs;
  return async (forge, delivery) => {
    const source = needs.webhookSource(forge);
    if (!source?.webhooks.isGenuine(delivery, source.secrets())) {
      if (source) needs.deliveries.refused(forge);
      return NOT_GENUINE;
    }
    const hint = source.webhooks.read(delivery);
    if (!hint) return problem('malformed_json', 'the body is no JSON object');
    if (hint.repo === null) return accepted(0);
    const named = `${forge}:${hint.repo}`;
    const repo = followedAs(hall, named);
    if (repo === undefined) {
      log.warn('webhook for an unknown repository', { forge, repo: hint.repo, delivery: hint.id });
      return problem('forbidden', `no project of this hall has the repository ${named}`);
    }
    needs.deliveries.received(repo);
    const outcome = await requireLeading(hall).writer.change({
      meta: { actor: forge, cause: `webhook: ${hint.id}` },
      decide: (board, now) =>
        requestLooks(board, { ...hint, repo, underWay: looksUnderWay(hall) }, now.at),
      ...(hint.id !== '' && { idempotency: once(forge, hint.id, delivery.body) }),
    });
    if (isReplayed(outcome)) return accepted(0);
    return isRefusal(outcome) ? outcome : accepted(outcome);
  };
}

const NOT_GENUINE = problem(
  'unauthenticated',
  'the signature does not match, or no webhook of this forge is expected',
);

function accepted(looks: number): Answer {
  return { status: 202, body: { looks } };
}

/**
 * The repository as its project spells it, under which its threads are kept; forges compare names without case.
 * The projects' repositories are the allow-list.
 */
function followedAs({ board }: Hall, named: string): string | undefined {
  const wanted = named.toLowerCase();
  const known = [...board.projects.values()].flatMap(({ settings }) => settings.repo ?? []);
  return known.find((repo) => repo.toLowerCase() === wanted);
}

function once(forge: string, id: string, body: Buffer) {
  const key = `webhook ${hash('sha256', `${forge}\n${id}`)}`;
  const render = (looks: number) => ({ status: 202, body: JSON.stringify({ looks }) });
  return { key, request: hash('sha256', body), render };
}
