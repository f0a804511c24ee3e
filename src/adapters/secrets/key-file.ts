import { randomBytes } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import {
  type EncryptionKey,
  isKeyFault,
  type KeyFault,
  type SecretsKey,
} from '../../ports/secrets-key.ts';
import { createDurably, writeDurably } from '../files/write-durably.ts';
import { createEncryptionKey, KEY_BYTES } from './encryption-key.ts';
import { keyLines, parseKeys } from './parse-keys.ts';

interface Needs {
  readonly path: string;
  /** A folder that the file may not lie in: whoever copies the folder would copy the key with the secrets. */
  readonly notIn: string;
  /** Called with every key as text, before anything else can read it. */
  readonly known: (text: string) => void;
}

const COMMENT = `# Encrypts the secrets that this hall stores. Keep a copy in a safe place, apart from the backups.
# The first key encrypts; the others still read what they encrypted before.
`;

/** Keys in a file that only the hall's account can read. */
export function createKeyFile({ path, notIn, known }: Needs): SecretsKey {
  async function read(): Promise<readonly EncryptionKey[] | KeyFault> {
    const text = await contentOf(path);
    if (isKeyFault(text)) return text;
    for (const line of keyLines(text)) known(line);
    const keys = parseKeys(text);
    if (keys && keys.length > 0) return keys;
    const what = keys ? 'is empty' : 'has a line that is no key';
    return unusable(
      `the key file ${path} ${what}: each line must be 32 bytes in base64 or hex; put the right file back`,
    );
  }

  /** A new key, once `write` has stored its text. */
  async function made(
    write: (line: string) => Promise<KeyFault | undefined>,
  ): Promise<EncryptionKey | KeyFault> {
    const bytes = randomBytes(KEY_BYTES);
    const line = bytes.toString('base64');
    known(line);
    try {
      return (await write(line)) ?? createEncryptionKey(bytes);
    } catch (error) {
      return unusable(
        `the key file ${path} cannot be written (${codeOf(error)}): make its folder writable for this account, or set hall.secrets_key to a path that is`,
      );
    }
  }

  return {
    place: path,
    read,
    async create() {
      const key = await made(async (line) => {
        if (await isInside(path, notIn)) return inData(path, notIn);
        await createDurably(path, `${COMMENT}${line}\n`);
        return undefined;
      });
      if (isKeyFault(key)) return key;
      // Another process may have made it.
      const keys = await read();
      return isKeyFault(keys) ? keys : (keys[0] ?? key);
    },
    addFirst: () =>
      made(async (line) => {
        const before = await contentOf(path);
        if (isKeyFault(before)) return before;
        await writeDurably(await realpath(path), withFirst(before, line));
        return undefined;
      }),
  };
}

async function contentOf(path: string): Promise<string | KeyFault> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'ENOENT') return unusable(`the key file ${path} cannot be read (${code})`);
    return { fault: `the key file ${path} does not exist`, isMissing: true };
  }
}

/** Comments at the top stay there. */
function withFirst(text: string, line: string): string {
  const lines = text.split('\n');
  const at = lines.findIndex((each) => each.trim() !== '' && !each.trim().startsWith('#'));
  return lines.toSpliced(Math.max(at, 0), 0, line).join('\n');
}

/** The paths were compared as text when the configuration was read; a link may lead inside all the same. */
async function isInside(path: string, folder: string): Promise<boolean> {
  const [inside, outer] = await Promise.all([realpath(dirname(path)), realpath(folder)]);
  return `${inside}${sep}`.startsWith(`${outer}${sep}`);
}

function inData(path: string, folder: string): KeyFault {
  return unusable(
    `the key file ${path} would lie in the data folder, where every copy of the data would include it: set hall.secrets_key to a path outside of ${folder}`,
  );
}

function unusable(fault: string): KeyFault {
  return { fault, isMissing: false };
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown error';
}
