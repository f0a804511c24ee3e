import type { ForgeKind } from '../../src/adapters/forge-emulator/emulator.ts';
import { clientOf, type ForgeClient } from './forge-fixture.ts';
import { gitBeside, write } from './git-fixture.ts';
import { until } from './hall-fixture.ts';
import { tempFolder } from './temp-folder.ts';

type Verdict = 'approved' | 'changes_requested' | 'commented';

interface PullPlan {
  readonly head: string;
  readonly title?: string;
  readonly body?: string;
}

/** A person who uses a forge by its REST API and git, the same on a real and on an emulated one. */
export interface ForgePerson {
  readonly ask: ForgeClient;
  openIssue(
    repo: string,
    text: { readonly title: string; readonly body?: string },
  ): Promise<number>;
  label(repo: string, number: number, name: string): Promise<void>;
  unlabel(repo: string, number: number, name: string): Promise<void>;
  comment(repo: string, number: number, body: string): Promise<number>;
  closeIssue(repo: string, number: number): Promise<void>;
  /** Commits files to a branch, which starts at `main` if it is new, and pushes. The commit. */
  push(repo: string, branch: string, files: Readonly<Record<string, string>>): Promise<string>;
  openPull(repo: string, plan: PullPlan): Promise<number>;
  review(repo: string, number: number, is: Verdict, body?: string): Promise<number>;
  merge(repo: string, number: number): Promise<void>;
  status(repo: string, commit: string, context: string, state: string): Promise<void>;
  addHook(repo: string, url: string, secret: string): Promise<void>;
}

interface ForgePlace {
  readonly kind: ForgeKind;
  readonly url: string;
  readonly apiUrl: string;
  readonly tokens: Readonly<Record<string, string>>;
}

export function createForgePerson(place: ForgePlace, login: string): ForgePerson {
  const { kind, apiUrl, tokens } = place;
  const ask = clientOf(apiUrl, tokens[login] ?? '', {});
  const must: ForgeClient = async (method, path, body) => {
    const reply = await ask(method, path, body);
    if (reply.status >= 300) {
      throw new Error(`${login}: ${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    }
    return reply;
  };
  const isGitHub = kind === 'github';
  return {
    ask,
    ...issueActs(must, isGitHub),
    ...pullActs(must, isGitHub),
    push: (repo, branch, files) => push(place, login, { repo, branch, files }),
  };
}

function issueActs(must: ForgeClient, isGitHub: boolean) {
  async function labelId(repo: string, name: string): Promise<number> {
    const { body } = await must('GET', `/repos/${repo}/labels?limit=50`);
    const found = body.find((label: { name: string }) => label.name === name);
    if (found) return found.id;
    return (await must('POST', `/repos/${repo}/labels`, { name, color: '#0366d6' })).body.id;
  }
  return {
    async openIssue(repo: string, text: { readonly title: string; readonly body?: string }) {
      return (await must('POST', `/repos/${repo}/issues`, text)).body.number as number;
    },
    async label(repo: string, number: number, name: string) {
      const labels = isGitHub ? [name] : [await labelId(repo, name)];
      await must('POST', `/repos/${repo}/issues/${number}/labels`, { labels });
    },
    async unlabel(repo: string, number: number, name: string) {
      const which = isGitHub ? encodeURIComponent(name) : await labelId(repo, name);
      await must('DELETE', `/repos/${repo}/issues/${number}/labels/${which}`);
    },
    async comment(repo: string, number: number, body: string) {
      return (await must('POST', `/repos/${repo}/issues/${number}/comments`, { body })).body
        .id as number;
    },
    async closeIssue(repo: string, number: number) {
      await must('PATCH', `/repos/${repo}/issues/${number}`, { state: 'closed' });
    },
    async addHook(repo: string, url: string, secret: string) {
      const events = isGitHub ? HOOK_EVENTS.github : HOOK_EVENTS.gitea;
      const config = { url, content_type: 'json', secret };
      const hook = {
        active: true,
        events,
        config,
        ...(isGitHub ? { name: 'web' } : { type: 'gitea' }),
      };
      await must('POST', `/repos/${repo}/hooks`, hook);
    },
  };
}

const HOOK_EVENTS = {
  github: [
    'issues',
    'issue_comment',
    'pull_request',
    'pull_request_review',
    'status',
    'check_run',
    'push',
  ],
  gitea: ['issues', 'pull_request', 'status', 'push', 'workflow_run'],
};

const VERDICTS = {
  github: { approved: 'APPROVE', changes_requested: 'REQUEST_CHANGES', commented: 'COMMENT' },
  gitea: { approved: 'APPROVED', changes_requested: 'REQUEST_CHANGES', commented: 'COMMENT' },
} as const;

function pullActs(must: ForgeClient, isGitHub: boolean) {
  const verdicts = isGitHub ? VERDICTS.github : VERDICTS.gitea;
  return {
    async openPull(repo: string, { head, title = 'Change', body = '' }: PullPlan) {
      const plan = { head, base: 'main', title, body };
      return (await must('POST', `/repos/${repo}/pulls`, plan)).body.number as number;
    },
    async review(repo: string, number: number, is: Verdict, body = 'said') {
      const review = { event: verdicts[is], body };
      return (await must('POST', `/repos/${repo}/pulls/${number}/reviews`, review)).body
        .id as number;
    },
    async merge(repo: string, number: number) {
      const pull = `/repos/${repo}/pulls/${number}`;
      await until(
        'it can be merged',
        async () => (await must('GET', pull)).body.mergeable === true,
      );
      const path = `${pull}/merge`;
      await (isGitHub ? must('PUT', path, {}) : must('POST', path, { Do: 'merge' }));
    },
    async status(repo: string, commit: string, context: string, state: string) {
      await must('POST', `/repos/${repo}/statuses/${commit}`, { context, state });
    },
  };
}

interface Push {
  readonly repo: string;
  readonly branch: string;
  readonly files: Readonly<Record<string, string>>;
}

async function push({ url, tokens }: ForgePlace, login: string, { repo, branch, files }: Push) {
  using temp = tempFolder();
  const address = `${url.replace('://', `://${login}:${tokens[login]}@`)}/${repo}.git`;
  const git = (...args: string[]) => gitBeside(temp.file('work'), ...args);
  await gitBeside(temp.path, 'clone', '--quiet', address, 'work');
  const isThere = (await git('branch', '--remotes', '--list', `origin/${branch}`)) !== '';
  await git('checkout', '--quiet', '-B', branch, `origin/${isThere ? branch : 'main'}`);
  write(temp.file('work'), files);
  await git('add', '--all');
  await git('commit', '--quiet', '-m', `Change ${Object.keys(files)}`);
  await git('push', '--quiet', 'origin', branch);
  return await git('rev-parse', 'HEAD');
}
