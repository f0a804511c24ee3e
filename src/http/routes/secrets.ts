import type { SECRET_ROUTES } from '../../api/secret-routes.ts';
import { prepareRemoval, prepareSecret } from '../../board/change-secrets.ts';
import type { Hall } from '../../board/hall.ts';
import { readBoard } from '../../board/read-board.ts';
import { prepareRotation } from '../../board/rotate-secrets.ts';
import type { SecretStore } from '../../board/secret-store.ts';
import { isRefusal } from '../../domain/refusal.ts';
import type { Secret, SecretUse } from '../../domain/secret.ts';
import { secretView } from '../../queries/views/secrets.ts';
import { changeBoard } from '../board-access.ts';
import { problem } from '../problem.ts';
import type { Operations, RequestContext } from '../request-context.ts';

interface Needs {
  readonly hall: Hall;
  readonly secretStore: SecretStore;
  readonly secretUses: () => readonly SecretUse[];
}

export function secretRoutes(needs: Needs) {
  const { hall, secretStore } = needs;
  return {
    listSecrets: async () => {
      const secrets = await readBoard(hall, (board) => [...board.secrets.values()]);
      const { key, keyFault: says } = secretStore;
      const views = secrets.map((each) => viewOf(needs, each, secretStore.unreadable(each.name)));
      return { status: 200, body: { secrets: views, key: { place: key.place, says } } };
    },
    setSecret: (context) => changed(secretStore, () => set(needs, context)),
    removeSecret: (context) => changed(secretStore, () => remove(needs, context)),
    rotateSecrets: (context) => changed(secretStore, () => rotate(needs, context)),
  } satisfies Pick<Operations, keyof typeof SECRET_ROUTES>;
}

/** The next request finds what this one changed. */
function changed<T>(secretStore: SecretStore, change: () => Promise<T>): Promise<T> {
  return secretStore.exclusively(async () => {
    const outcome = await change();
    await secretStore.reread();
    return outcome;
  });
}

function viewOf({ secretUses }: Needs, secret: Secret, fault?: string) {
  const uses = secretUses().filter(({ name }) => name === secret.name);
  return secretView(secret, {
    usedBy: uses.map(({ owner, setting }) => `${owner} (${setting})`),
    fault,
  });
}

async function set(needs: Needs, context: RequestContext<'setSecret'>) {
  const { hall } = needs;
  const { name, value, keep_previous: keepsPrevious, new_key: isNewKey } = context.body;
  const kind = context.body.kind ?? (await usualKind(needs, name));
  if (kind === undefined) return KIND_NEEDED;
  const input = { name, kind, value, keepsPrevious, isNewKey };
  const prepared = await prepareSecret(needs, input);
  if (isRefusal(prepared)) return prepared;
  const { key, ...change } = prepared;
  const { idempotencyKey } = context;
  const request = key.digest(JSON.stringify(input));
  return changeBoard(
    hall,
    { ...context, idempotencyKey: idempotencyKey && { ...idempotencyKey, request } },
    { ...change, reply: (secret) => ({ status: 200, body: viewOf(needs, secret) }) },
  );
}

async function usualKind({ hall, secretUses }: Needs, name: string) {
  const before = await readBoard(hall, ({ secrets }) => secrets.get(name)?.kind);
  return before ?? secretUses().find((use) => use.name === name)?.kind;
}

const NO_KIND = {
  path: 'kind',
  message: 'is missing: the secret is new, and no entry of the configuration uses it',
};
const KIND_NEEDED = problem('invalid_input', `kind ${NO_KIND.message}`, { mistakes: [NO_KIND] });

async function remove(needs: Needs, context: RequestContext<'removeSecret'>) {
  const { name } = context.params;
  const change = await prepareRemoval(needs, {
    name,
    isPrevious: context.query.previous === 'true',
  });
  return changeBoard(needs.hall, context, { ...change, reply: () => ({ status: 204 }) });
}

async function rotate(needs: Needs, context: RequestContext<'rotateSecrets'>) {
  const { hall, secretStore } = needs;
  const { place } = secretStore.key;
  const reply = (names: readonly string[]) =>
    ({ status: 200, body: { secrets: [...names], place } }) as const;
  const prepared = (await isRepeated(needs, context)) ? NOTHING : await prepareRotation(needs);
  if (isRefusal(prepared)) return prepared;
  const { decide, secrets } = prepared;
  return changeBoard(hall, context, { decide, secrets, reply });
}

/** A repeated request gets its stored answer, and must not make another key. */
async function isRepeated({ hall }: Needs, { idempotencyKey }: RequestContext<'rotateSecrets'>) {
  if (!idempotencyKey) return false;
  const { responses } = await hall.store.recall({ responses: [idempotencyKey.key] });
  return responses.has(idempotencyKey.key);
}

const NOTHING = { decide: () => ({ events: [], answer: [] }), secrets: [] };
