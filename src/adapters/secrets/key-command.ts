import { type ExecFileException, execFile } from 'node:child_process';
import { redactText } from '../../domain/redaction.ts';
import { isKeyFault, type KeyFault, type SecretsKey } from '../../ports/secrets-key.ts';
import { keyLines, parseKeys } from './parse-keys.ts';

interface Needs {
  readonly command: readonly string[];
  /** Where it runs. */
  readonly cwd: string;
  readonly known: (text: string) => void;
}

/** A tool that asks a server on the network answers within this time or not at all. */
const PATIENCE = 15_000;

/** Keys that a command prints, such as that of a key management service. */
export function createKeyCommand({ command, cwd, known }: Needs): SecretsKey {
  const [program = '', ...args] = command;
  const place = `the command ${program}`;
  const byOperator = async () =>
    unusable(
      `${place} provides the key, so the hall makes none: let it print the new key as its first line, and the old one below`,
    );
  return {
    place,
    async read() {
      const text = await outputOf(program, args, cwd);
      if (isKeyFault(text)) return text;
      for (const line of keyLines(text)) known(line);
      const keys = parseKeys(text);
      if (keys && keys.length > 0) return keys;
      const what = keys ? 'no key' : 'a line that is no key';
      return unusable(
        `${place} printed ${what}: it must print 32 bytes in base64 or hex on each line`,
      );
    },
    create: byOperator,
    addFirst: byOperator,
  };
}

function outputOf(
  program: string,
  args: readonly string[],
  cwd: string,
): Promise<string | KeyFault> {
  return new Promise((resolve) => {
    const options = { cwd, timeout: PATIENCE, maxBuffer: 64 * 1024 };
    const child = execFile(program, args, options, (error, stdout, stderr) =>
      resolve(error ? failed(program, error, stderr) : stdout),
    );
    child.stdin?.end();
  });
}

function failed(program: string, error: ExecFileException, stderr: string): KeyFault {
  const first = redactText(stderr.trim().split('\n', 1)[0] ?? '').slice(0, 200);
  const how = error.killed
    ? `did not answer within ${PATIENCE / 1_000} s`
    : `failed (${error.code ?? 'unknown error'})`;
  return unusable(`the command ${program}, which provides the key, ${how}${first && `: ${first}`}`);
}

function unusable(fault: string): KeyFault {
  return { fault, isMissing: false };
}
