import { readEnvironment } from '../config/read-environment.ts';
import { runCommand } from './run-command.ts';

/** Runs one command as this process and answers its exit code. */
export function main(argv: readonly string[]): Promise<number> {
  return runCommand(argv, {
    stdin: () => process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    environment: readEnvironment(),
    cwd: process.cwd(),
    script: process.argv[1],
    signals: process,
    exit: (code) => process.exit(code),
  });
}
