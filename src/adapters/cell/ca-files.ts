import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { CA_VARIABLES, type Env } from '../../domain/env.ts';
import { CellRefused, type Mount } from '../../ports/cell.ts';
import type { PrepareVariables } from '../../ports/variables.ts';
import { writeDurably } from '../files/write-durably.ts';

interface Needs {
  /** Holds copies of the certificates. Their paths stay the same between runs, so containers can be kept. */
  readonly folder: string;
  /** The CA variables of the worker's own environment. */
  readonly host: Env;
}

const INSIDE = '/run/ca';

/**
 * Copies certificates instead of mounting the file that a variable names: the file may also hold a
 * private key, or be readable only by the worker's account.
 */
export function createCaFiles({ folder, host }: Needs): PrepareVariables {
  return async (env, { kind, image }) => {
    const inherited = Object.entries(host).filter(([, path]) => certificatesIn(path) !== undefined);
    const all: Env = { ...Object.fromEntries(inherited), ...env };
    if (kind === 'none') return { env: all, readable: [] };
    const readable: Mount[] = [];
    const inside: Record<string, string> = { ...all };
    for (const [name, value] of Object.entries(all)) {
      const isInImage = image !== null && !existsSync(value);
      if (!CA_VARIABLES.includes(name) || value === '' || isInImage) continue;
      const copy = await copyOf(folder, requireCertificates(name, value));
      if (!readable.some(({ to }) => to === copy.to)) readable.push(copy);
      inside[name] = copy.to;
    }
    return { env: inside, readable };
  };
}

function requireCertificates(name: string, path: string): string {
  const found = certificatesIn(path);
  if (found !== undefined) return found;
  throw new CellRefused(
    `${name} names ${path}, which is not a file with PEM certificates on this machine; put it there, or change env: in the configuration`,
  );
}

/** No bundle of public authorities comes near; a larger file is something else. */
const MAX_BYTES = 16 * 1024 ** 2;
const CERTIFICATE =
  /-----BEGIN (?:TRUSTED )?CERTIFICATE-----[^-]*-----END (?:TRUSTED )?CERTIFICATE-----/g;

/** The certificates in a file, without anything else that it contains. */
function certificatesIn(path: string): string | undefined {
  const found = isAbsolute(path) ? statSync(path, { throwIfNoEntry: false }) : undefined;
  if (!found?.isFile() || found.size > MAX_BYTES) return undefined;
  const certificates = readFileSync(path, 'latin1').match(CERTIFICATE);
  return certificates === null ? undefined : `${certificates.join('\n')}\n`;
}

/** Named by its content, so that workers that share the folder can write it at the same time. */
async function copyOf(folder: string, certificates: string): Promise<Mount> {
  const name = `${createHash('sha256').update(certificates).digest('hex').slice(0, 32)}.pem`;
  const from = join(folder, name);
  if (!existsSync(from)) {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    await writeDurably(from, certificates, 0o644);
  }
  return { from, to: `${INSIDE}/${name}` };
}
