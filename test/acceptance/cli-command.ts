import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type CommandInProcess, runInProcess } from '../support/command-in-process.ts';
import { BIN } from '../support/hall-process.ts';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Around {
  readonly cwd: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly isTerminal?: boolean;
}

/** Runs a command of the product in this process and waits for it to end. */
export async function guildhall(args: readonly string[], options: Around): Promise<Ended> {
  const command = begun(args, options);
  const code = await command.ended;
  return { code, stdout: command.stdout(), stderr: command.stderr() };
}

/** Starts a command in this process that runs until it is stopped. */
export function begun(args: readonly string[], options: Around): CommandInProcess {
  return runInProcess(args, {
    ...options,
    environment: { ...plainEnvironment(), ...options.environment },
  });
}

/** Runs a command as a process of its own, for tests of signals, exit codes and closed pipes. */
export function typed(args: readonly string[], { cwd, environment = {} }: Around): ChildProcess {
  return spawn(process.execPath, [BIN, ...args], {
    cwd,
    env: { ...plainEnvironment(), ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Keeps the environment of the test machine away from the product. */
function plainEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME };
}

/** A PATH with git but without any program to build cells with, because trying out cells takes seconds. */
export function onlyGit(folder: string): { readonly PATH: string } {
  const PATH = join(folder, 'programs');
  if (existsSync(PATH)) return { PATH };
  mkdirSync(PATH);
  const programs = (process.env['PATH'] ?? '').split(delimiter).map((each) => join(each, 'git'));
  const git = programs.find((each) => existsSync(each));
  if (git !== undefined) symlinkSync(git, join(PATH, 'git'));
  return { PATH };
}

export function collect(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = [];
  stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}
