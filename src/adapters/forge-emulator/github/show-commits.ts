import { isoTime, type Urls } from '../http/answer.ts';
import type { PushedCommit } from '../state/event.ts';
import type { Account, Repository } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { nodeId, showUserOrNull } from './show-accounts.ts';
import { pageUrl, repositoryUrl } from './show-repositories.ts';

export function showCommit(
  world: World,
  { repository, commit }: { readonly repository: Repository; readonly commit: PushedCommit },
  urls: Urls,
) {
  const own = repositoryUrl(repository, urls);
  const { sha, tree, message } = commit;
  const date = isoTime(commit.at);
  return {
    sha,
    node_id: nodeId('Commit', Number.parseInt(sha.slice(0, 8), 16)),
    commit: {
      author: { name: commit.authorName, email: commit.authorEmail, date },
      committer: { name: commit.committerName, email: commit.committerEmail, date },
      message,
      tree: { sha: tree, url: `${own}/git/trees/${tree}` },
      url: `${own}/git/commits/${sha}`,
      comment_count: 0,
      verification: {
        verified: false,
        reason: 'unsigned',
        signature: null,
        payload: null,
        verified_at: null,
      },
    },
    url: `${own}/commits/${sha}`,
    html_url: `${pageUrl(repository, urls)}/commit/${sha}`,
    comments_url: `${own}/commits/${sha}/comments`,
    author: showUserOrNull(accountOf(world, commit.authorEmail), urls),
    committer: showUserOrNull(accountOf(world, commit.committerEmail), urls),
    parents: commit.parents.map((parent) => ({
      sha: parent,
      url: `${own}/commits/${parent}`,
      html_url: `${pageUrl(repository, urls)}/commit/${parent}`,
    })),
  };
}

/** As check suites and workflow runs mention it. */
export function showCommitInSuite(commit: PushedCommit) {
  return {
    id: commit.sha,
    tree_id: commit.tree,
    message: commit.message,
    timestamp: isoTime(commit.at),
    author: { name: commit.authorName, email: commit.authorEmail },
    committer: { name: commit.committerName, email: commit.committerEmail },
  };
}

/** As a push mentions it. */
export function showPushedCommit(repository: Repository, commit: PushedCommit, urls: Urls) {
  return {
    ...showCommitInSuite(commit),
    distinct: true,
    url: `${pageUrl(repository, urls)}/commit/${commit.sha}`,
    added: [...commit.added],
    removed: [...commit.removed],
    modified: [...commit.modified],
  };
}

function accountOf({ accounts }: World, email: string): Account | null {
  return [...accounts.values()].find((account) => account.email === email) ?? null;
}
