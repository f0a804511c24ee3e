import { randomBytes } from 'node:crypto';
import type { HALL_ROUTES } from '../../api/hall-routes.ts';
import type { Hall } from '../../board/hall.ts';
import { readBoard } from '../../board/read-board.ts';
import { createToken, revokeToken } from '../../domain/edit-tokens.ts';
import { drain } from '../../domain/pausing.ts';
import type { Machine } from '../../queries/health.ts';
import { hallState, tokensIn } from '../../queries/views/hall.ts';
import { type Auth, HOW_TO_ENABLE_TOKENS, hashOf } from '../authenticate.ts';
import { changeBoard } from '../board-access.ts';
import type { Operations } from '../request-context.ts';
import { sealedChange } from '../token-response.ts';
import { createPausing, poolRoutes } from './pool.ts';
import { sourceRoutes } from './sources.ts';

interface Needs {
  readonly hall: Hall;
  readonly auth: Auth;
  readonly machine: () => Machine;
}

export function hallRoutes({ hall, auth, machine }: Needs) {
  const { board } = hall;

  const { setPause, endPause } = createPausing(hall);
  const hallNow = () => ({ status: 200, body: hallState(board) }) as const;

  return {
    ...poolRoutes(hall),
    ...sourceRoutes(hall, machine),

    pauseHall: (context) => setPause(context, { kind: 'hall' }, hallNow),
    resumeHall: (context) => endPause(context, { kind: 'hall' }, hallNow),
    drainHall: (context) =>
      changeBoard(hall, context, {
        decide: (now, at) => drain(now, context.body.because ?? null, at),
        reply: hallNow,
      }),

    listTokens: async () => ({ status: 200, body: await readBoard(hall, tokensIn) }),

    createToken: (context) => {
      const { name, role } = context.body;
      const token = `gh_${randomBytes(32).toString('base64url')}`;
      return sealedChange(hall, context, {
        decide: (now, at) => createToken(now, { name, role, hash: hashOf(token) }, at),
        reply: () => ({ status: 201, body: { name, role, token, note: tokenNote(auth) } }),
      });
    },

    revokeToken: (context) =>
      changeBoard(hall, context, {
        decide: (now, at) => revokeToken(now, context.params.name, at),
        reply: () => ({ status: 204 }),
      }),
  } satisfies Pick<Operations, keyof typeof HALL_ROUTES>;
}

function tokenNote({ mode }: Auth): string | null {
  switch (mode) {
    case 'tokens':
      return null;
    case 'local':
      return `auth.mode is local: only the operator's own token is accepted, not this one; ${HOW_TO_ENABLE_TOKENS}`;
    case 'none':
      return `auth.mode is none: requests need no token; ${HOW_TO_ENABLE_TOKENS}`;
  }
}
