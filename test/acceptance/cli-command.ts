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
}

/** Runs a command of the product in this process, to its end. */
export async function guildhall(args: readonly string[], options: Around): Promise<Ended> {
  const command = begun(args, options);
  const code = await command.ended;
  return { code, stdout: command.stdout(), stderr: command.stderr() };
}

/** Begins a command in this process that goes on until it is told to stop. */
export function begun(args: readonly string[], options: Around): CommandInProcess {
  return runInProcess(args, {
    ...options,
    environment: { ...plainEnvironment(), ...options.environment },
  });
}

/** A process of its own, for what only a process shows: how it is killed, how it ends, who reads it. */
export function typed(args: readonly string[], { cwd, environment = {} }: Around): ChildProcess {
  return spawn(process.execPath, [BIN, ...args], {
    cwd,
    env: { ...plainEnvironment(), ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Nothing that the machine of the test has set reaches the product. */
function plainEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME };
}

/** A PATH on which there is git and nothing to build cells with, because trying cells takes seconds. */
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
