import type { Board } from './board.ts';
import type { HallEvent } from './event.ts';
import type { Row } from './row.ts';
import type { EncryptedSecret } from './secret.ts';

type SecretEvent = Extract<
  HallEvent,
  { type: 'SecretSet' | 'SecretRemoved' | 'PreviousSecretRemoved' | 'SecretsRotated' }
>;

/** Applies changes to the stored secrets. Their values are not part of the board. */
export function evolveSecrets(board: Board, event: SecretEvent): readonly Row[] {
  switch (event.type) {
    case 'SecretSet':
      return [put(board, { ...event.secret, seq: board.seq })];
    case 'SecretRemoved':
      board.secrets.delete(event.secret);
      return [{ table: 'secret', key: event.secret, row: null }];
    case 'PreviousSecretRemoved':
      return change(board, event.secret, { hasPrevious: false });
    case 'SecretsRotated':
      return event.secrets.flatMap((name) =>
        change(board, name, { key: event.key, seq: board.seq }),
      );
  }
}

function put(board: Board, secret: EncryptedSecret): Row {
  board.secrets.set(secret.name, secret);
  return { table: 'secret', key: secret.name, row: secret };
}

function change(board: Board, name: string, changed: Partial<EncryptedSecret>): readonly Row[] {
  const secret = board.secrets.get(name);
  return secret ? [put(board, { ...secret, ...changed })] : [];
}
