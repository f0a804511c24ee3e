import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { findProgram, loadSdk } from '../../src/adapters/claude/sdk.ts';
import { PARTS } from '../../test/support/parts.ts';
import { WorkersFixture, whyNoWorkers } from '../../test/support/worker-fixture.ts';
import type { Lab } from '../lab.ts';
import { compare, interleave, type Read } from '../measuring/rounds.ts';
import { amount } from '../report/print-row.ts';
import { atMost, type Row } from '../report/row.ts';
import { type Cell, rowFrom } from './cell.ts';

const run = promisify(execFile);

const CALLS = 10;
/** How long the model takes for each answer: none, and as long as a fast model. */
const PACES = [
  { name: 'answers at once', wait: '0ms' },
  { name: 'answers after a second', wait: '1s' },
] as const;

export const P10: Cell = {
  title: 'a whole task compared with a bare run of the same agent',
  minutes: ({ rounds }) => 0.5 + rounds * 1.5,
  async run(lab, stack) {
    const missing = await bringWorkers();
    if (missing !== false) return { rows: [], checks: [], leftOut: [missing] };
    const rows: Row[] = [];
    for (const pace of PACES) rows.push(await measured(lab, stack, pace));
    return { rows, checks: [], leftOut: [] };
  },
};

async function bringWorkers(): Promise<string | false> {
  const part = PARTS.find(({ name }) => name === 'bubblewrap');
  const brought = await part?.bring();
  if (part && brought && 'value' in brought) process.env[part.variable] = brought.value;
  return whyNoWorkers();
}

async function measured(
  lab: Lab,
  stack: AsyncDisposableStack,
  { name, wait }: (typeof PACES)[number],
): Promise<Row> {
  const stage = stack.use(await WorkersFixture.open({ script: script(wait) }));
  // The worker is started for the first task and then waits for the next one.
  await throughHall(stage);
  const ours = timed(lab, 'ours', () => throughHall(stage));
  const peer = timed(lab, 'bare', () => bare(lab, stage));
  const [[found = []] = []] = await interleave(lab.options.rounds, [ours], [peer]);
  const measure = `a whole task of ${CALLS} commands and a commit; the model ${name}`;
  const heading = { cell: 'P10', measure, unit: 's', goal: atMost(1.15) } as const;
  return rowFrom(heading, compare(found), { ours: 'ours', peer: 'bare Agent SDK' });
}

function script(wait: string): string {
  const use = (command: string) => `
      - wait: ${wait}
      - use: { tool: Bash, input: { command: ${JSON.stringify(command)} } }`;
  const commands = Array.from({ length: CALLS }, (_, n) => `echo ${n} >> a.txt && cat a.txt`);
  return `${[...commands, 'git add a.txt && git commit -qm "Add a.txt"'].map(use).join('')}
      - wait: ${wait}
      - use: { tool: mcp__hall__report, input: { outcome: pr_created, summary: Added a.txt. } }
      - end`;
}

interface Done {
  readonly seconds: number;
  /** The file that the agent should have written. */
  readonly file: string;
}

/** From posting the task until the board shows it as done: claim, cell, checkout, agent, checks, push. */
async function throughHall(stage: WorkersFixture): Promise<Done> {
  const from = performance.now();
  const id = await stage.post();
  await stage.reaches(id, 'completed');
  const seconds = (performance.now() - from) / 1000;
  const { thread } = await stage.fixture.taskDetail(id);
  return { seconds, file: stage.fileOn(thread.branch, 'a.txt') };
}

/** The same agent without a hall: no cell, no tool gate, no push, in a clone that was prepared before. */
async function bare(lab: Lab, { upstream, model }: WorkersFixture): Promise<Done> {
  const room = await lab.room();
  const work = join(room, 'work');
  const home = join(room, 'home');
  await mkdir(home, { recursive: true });
  await run('git', ['clone', '--quiet', upstream, work]);
  const from = performance.now();
  await askAgent({ work, home, modelUrl: model.url });
  const seconds = (performance.now() - from) / 1000;
  return { seconds, file: (await readFile(join(work, 'a.txt'), 'utf8')).trim() };
}

interface BareRun {
  readonly work: string;
  readonly home: string;
  readonly modelUrl: string;
}

async function askAgent({ work, home, modelUrl }: BareRun): Promise<void> {
  const program = findProgram();
  if ('missing' in program) throw new Error(program.missing);
  const sdk = await loadSdk();
  let isOver = false;
  const shape = { outcome: z.string(), summary: z.string() };
  const report = sdk.tool('report', 'Reports how the task went', shape, async () => {
    isOver = true;
    return { content: [{ type: 'text', text: 'heard' }] };
  });
  const messages = sdk.query({
    prompt: 'Add a line',
    options: {
      pathToClaudeCodeExecutable: program.path,
      cwd: work,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: home,
        ANTHROPIC_BASE_URL: modelUrl,
        ANTHROPIC_API_KEY: 'none',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
        GIT_AUTHOR_NAME: 'Bench',
        GIT_AUTHOR_EMAIL: 'bench@hall.test',
        GIT_COMMITTER_NAME: 'Bench',
        GIT_COMMITTER_EMAIL: 'bench@hall.test',
      },
      settingSources: [],
      model: 'claude-sonnet-4-6',
      allowedTools: ['Bash', 'mcp__hall__report'],
      mcpServers: {
        hall: sdk.createSdkMcpServer({ name: 'hall', tools: [report], alwaysLoad: true }),
      },
      // As in a hall, the run ends with its report, without another answer of the model.
      hooks: { PostToolUse: [{ hooks: [async () => (isOver ? { continue: false } : {})] }] },
    },
  });
  for await (const _ of messages);
}

const EXPECTED = Array.from({ length: CALLS }, (_, n) => n).join('\n');

function timed(lab: Lab, what: string, act: () => Promise<Done>): Read {
  return async () => {
    const { seconds, file } = await act();
    lab.progress.say(`  ${what}: ${amount(seconds, 's')}`);
    return {
      value: seconds,
      void: file === EXPECTED ? undefined : `the agent wrote ${JSON.stringify(file)}`,
    };
  };
}
