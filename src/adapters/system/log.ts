import { secretSpellings } from '../../domain/redaction.ts';
import type { Facts, Log } from '../../ports/log.ts';

export interface LogTarget {
  write(line: string): void;
}

/** One JSON object per line. Known secrets are redacted from every line. */
export function createLog(target: LogTarget, secrets: () => Iterable<string>): Log {
  const write = (level: string, message: string, facts: Facts = {}) => {
    const line = JSON.stringify({ time: new Date().toISOString(), level, message, ...facts });
    target.write(`${redact(line, secrets())}\n`);
  };
  return {
    info: (message, facts) => write('info', message, facts),
    warn: (message, facts) => write('warn', message, facts),
    error: (message, facts) => write('error', message, facts),
  };
}

function redact(line: string, secrets: Iterable<string>): string {
  let clean = line;
  for (const secret of secretSpellings(secrets)) clean = clean.replaceAll(secret, '[secret]');
  return clean;
}
