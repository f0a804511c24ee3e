import { type Forge, ForgeFailed } from '../../ports/forge.ts';
import { SourceUnavailable, type TaskSource } from '../../ports/task-source.ts';

interface Needs {
  /** `github:acme/shop`. */
  readonly repo: string;
  readonly labels: readonly string[];
  readonly placeOf: (repo: string) => { readonly forge: Forge; readonly path: string };
}

/** The open issues of a repository that have the labels of a filter. Their texts are read by a look at each. */
export function createIssueSource({ repo, labels, placeOf }: Needs): TaskSource {
  return {
    async read() {
      const { issues, isComplete } = await listed({ repo, labels, placeOf });
      const items = issues.map(({ number, title }) => ({
        id: `${repo}#${number}`,
        file: null,
        line: 0,
        title,
        body: '',
        size: null,
        dependsOn: [],
        isDone: false,
        hash: '',
      }));
      const inOrder = items.toSorted((a, b) => numberOf(a.id) - numberOf(b.id));
      return { position: null, items: inOrder, files: [], problems: [], isComplete };
    },
  };
}

async function listed({ repo, labels, placeOf }: Needs) {
  try {
    const { forge, path } = placeOf(repo);
    return await forge.openIssues(path, labels);
  } catch (cause) {
    if (!(cause instanceof ForgeFailed)) throw cause;
    throw new SourceUnavailable(cause.message, { cause });
  }
}

function numberOf(id: string): number {
  return Number(id.slice(id.lastIndexOf('#') + 1));
}
