import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { ISOLATIONS } from '../domain/project.ts';
import { createFolder } from '../main/create-folder.ts';
import type { Cli, CommandSpec } from './command.ts';
import { createContext } from './context.ts';
import { examine, findingsText } from './doctor.ts';
import { EXIT_CODES } from './exit.ts';
import { askSetup } from './init/ask-setup.ts';
import { makeBareClone, repositoryName, textFrom } from './init/bare-clone.ts';
import { chooseForge } from './init/choose-forge.ts';
import { configText } from './init/config-text.ts';
import type { RecognisedForge } from './init/forge-remote.ts';
import { findCommands } from './init/found-commands.ts';
import { isTerminal, openQuestions } from './init/questions.ts';
import { InvalidUsage } from './invalid-usage.ts';
import { ParsedInput } from './parsed-input.ts';
import type { PrintedCommands } from './printed-commands.ts';
import { shellQuote } from './shell-quote.ts';

export const INIT: CommandSpec = {
  summary: 'set up a hall for a repository, or write a commented guildhall.yaml to fill in',
  arguments: [
    {
      usage: '[folder]',
      about:
        'folder of the hall, created if missing (default: NAME-hall beside the repository; without one, the current folder)',
    },
  ],
  options: [
    { flags: '--repo <repository>', about: 'folder or address of the repository to work on' },
    { flags: '--check <command>', about: 'command that a branch has to pass', many: true },
    { flags: '--no-checks', about: 'use no checks, not even those found in the repository' },
    {
      flags: '--credential <variable>',
      about: 'environment variable with the API key that pays for the model, or none',
    },
    {
      flags: '--isolation <kind>',
      about: 'isolation of the agents (default: the best that this machine supports)',
      choices: ISOLATIONS,
    },
    {
      flags: '--forge',
      about: 'follow issues and pull requests where the repository is hosted, without a clone',
    },
    { flags: '--no-forge', about: 'work on a clone, wherever the repository is hosted' },
    { flags: '-y, --yes', about: 'ask nothing; use the defaults' },
    { flags: '--force', about: 'overwrite an existing guildhall.yaml' },
  ],
  examples: [
    'guildhall init --repo ../shop',
    'guildhall init --repo ../shop --forge',
    'guildhall init ~/hall --repo ../shop --yes',
  ],
  run: async (cli, input) => {
    const isAsking = !input.flag('yes') && !cli.out.json && isTerminal(cli);
    const questions = openQuestions(cli, isAsking);
    try {
      const repo = input.text('repo') ?? (await questions.ask(REPOSITORY, ''));
      if (repo === '') return writeExample(cli, input);
      const from = await source(cli, repo);
      const folder = resolve(cli.cwd, input.maybe(0) ?? hallFolder(cli, from));
      const file = freeFile(folder, input);
      const forge = await chooseForge(cli, { from, input, questions, isAsking });
      createFolder(folder, 0o777);
      const clone = join(folder, `${repositoryName(from)}.git`);
      const { environment } = cli;
      const isClone = forge === null || !existsSync(from);
      if (isClone) await makeBareClone({ from, to: clone, environment });
      const found = await findCommands((name) =>
        textFrom(isClone ? clone : from, environment, 'show', `HEAD:${name}`),
      );
      if (isClone && forge !== null) rmSync(clone, { recursive: true, force: true });
      const setup = await askSetup({ found, input, questions, environment });
      const project = projectName(repositoryName(from));
      const place = forge === null ? `file:${basename(clone)}` : `${forge.kind}:${forge.path}`;
      const chosen = { project, repo: place, forge, ...setup };
      writeFileSync(file, configText(chosen));
      return finish(cli, { file, clone, ...chosen });
    } finally {
      questions[Symbol.dispose]();
    }
  },
};

const REPOSITORY = 'Repository to work on, a folder or an address (empty: write an example):';

/** The top of the work tree for a folder; an address as it is. */
async function source({ cwd, environment }: Cli, repo: string): Promise<string> {
  const folder = resolve(cwd, repo);
  if (!existsSync(folder)) {
    if (/^[\w+.-]+:\/\/|^[\w.-]+@[\w.-]+:/.test(repo)) return repo;
    throw new InvalidUsage(`there is no folder ${repo}: name a git repository with --repo`);
  }
  const top = await textFrom(folder, environment, 'rev-parse', '--show-toplevel');
  if (top !== null && top.trim() !== '') return top.trim();
  const isBare = await textFrom(folder, environment, 'rev-parse', '--is-bare-repository');
  if (isBare !== null) return folder;
  throw new InvalidUsage(
    `${repo} is not a git repository; make it one with: git -C ${shellQuote(repo)} init`,
  );
}

function hallFolder({ cwd }: Cli, from: string): string {
  const isFolder = existsSync(from);
  return join(isFolder ? dirname(from) : cwd, `${repositoryName(from)}-hall`);
}

function freeFile(folder: string, input: ParsedInput): string {
  const file = join(folder, 'guildhall.yaml');
  if (existsSync(file) && !input.flag('force')) {
    throw new InvalidUsage(`${file} already exists; overwrite it with --force`);
  }
  return file;
}

interface Written {
  readonly file: string;
  readonly clone: string;
  readonly project: string;
  readonly repo: string;
  readonly forge: RecognisedForge | null;
  readonly payer: { readonly variable: string } | null;
  readonly setup: readonly string[];
  readonly hosts: readonly string[];
}

/** Runs the doctor on the new hall and ends with the line that starts it. */
async function finish(cli: Cli, written: Written): Promise<number> {
  const { file, clone, project, repo, payer, forge } = written;
  const { out, cwd, environment } = cli;
  const near = relative(cwd, file);
  const printed = cli.withConfig(near.length < file.length ? near : file);
  const input = new ParsedInput([], { config: file }, cli.stdin);
  const here = { ...createContext(input, out, { context: cli, printed }).cli };
  const works = forge === null ? `works on its own clone, ${clone}` : `works on ${repo}`;
  if (!out.json) out.say(`wrote ${file}; the hall ${works}\n`);
  if (written.setup.length > 0 && written.hosts.length === 0) {
    out.say(
      `to let ${written.setup.join(', ')} download packages, list their host under network: there\n`,
    );
  }
  const { ok, findings } = await examine(here);
  out.answer({ file, project, repo, ok, findings }, () => findingsText(findings, here));
  const isSet = payer === null || Boolean(environment[payer.variable]);
  const start = `${isSet ? '' : `${payer.variable}=YOUR_KEY `}${printed.command('start')}`;
  out.say(`\n${ok ? 'next' : 'fix what failed, then'}: ${start}`);
  if (forge !== null) out.say(`then, while it runs: ${connecting(printed, forge)}`);
  return ok ? EXIT_CODES.ok : EXIT_CODES.failed;
}

function connecting({ command }: PrintedCommands, { kind, url }: RecognisedForge): string {
  return command('forge add', kind === 'github' ? kind : `${kind} --url ${url} < token.txt`);
}

/** Without a repository: a file to be filled in. */
async function writeExample(cli: Cli, input: ParsedInput): Promise<number> {
  const { out, cwd, environment } = cli;
  const folder = resolve(cwd, input.maybe(0) ?? '.');
  const file = freeFile(folder, input);
  createFolder(folder, 0o777);
  const isRepository = (await textFrom(folder, environment, 'rev-parse', '--git-dir')) !== null;
  const project = projectName(basename(folder));
  writeFileSync(file, configText({ project, repo: 'file:.' }));
  out.answer({ file, project, repo: 'file:.' }, () => `wrote ${file}`);
  if (!isRepository) out.say(`${folder} is not a git repository; set repo: in that file to yours`);
  const { command } = folder === resolve(cwd) ? cli : cli.withConfig(file);
  out.say(out.colours.dim(`next: ${command('config check')}, then ${command('start')}`));
  return EXIT_CODES.ok;
}

function projectName(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+|\.(?=\.)/g, '');
  return plain.slice(0, 60) || 'example';
}
