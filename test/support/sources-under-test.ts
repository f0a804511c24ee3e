import { renameSync } from 'node:fs';
import { startForgeEmulator } from '../../src/adapters/forge-emulator/emulator.ts';
import type { ItemName, SourceUnderTest } from '../contracts/task-source.contract.ts';
import { PATH } from './git-fixture.ts';
import { SourceHall, sourceRepository } from './source-hall.ts';
import { tempFolder } from './temp-folder.ts';

type Item = { readonly title: string; readonly body: string };
type ForgeKind = 'github' | 'gitea' | 'forgejo';

export const REPO = 'acme/shop';

/** One breakdown file with the items that there are. */
export function spiralGrove(): Promise<SourceUnderTest> {
  return fileSource('spiral-grove', (items) => ({
    '.sdd/tasks/shop-tasks.md': [
      '---\nstatus: In Progress\n---\n',
      '### TASK-009: Write the manual\n\n**Status**: Done\n',
      ...[...items].map(
        ([name, { title, body }]) => `### TASK-00${name === 'one' ? 1 : 2}: ${title}\n\n${body}\n`,
      ),
    ].join('\n'),
  }));
}

/** One file for each item. */
export function specFiles(): Promise<SourceUnderTest> {
  return fileSource('spec-files', (items) => {
    const text = (name: ItemName) => {
      const item = items.get(name);
      return item ? `# ${item.title}\n\n${item.body}\n` : null;
    };
    return { 'specs/1.md': text('one'), 'specs/2.md': text('two') };
  });
}

async function fileSource(
  kind: string,
  filesOf: (items: ReadonlyMap<ItemName, Item>) => Readonly<Record<string, string | null>>,
): Promise<SourceUnderTest> {
  const repository = sourceRepository();
  const items = new Map<ItemName, Item>();
  const project = { repo: `file:${repository.path}`, sources: [{ kind }] };
  const hall = await SourceHall.start(project);
  const away = `${repository.path}-away`;
  return {
    hall,
    async put(name, item) {
      items.set(name, item);
      repository.commit(filesOf(items));
    },
    async remove(name) {
      items.delete(name);
      repository.commit(filesOf(items));
    },
    sync: async () => void (await hall.sync()),
    outage: {
      begin: () => renameSync(repository.path, away),
      end: () => renameSync(away, repository.path),
    },
    async [Symbol.asyncDispose]() {
      await hall[Symbol.asyncDispose]();
      repository[Symbol.dispose]();
    },
  };
}

/** A forge with acme/shop, in which ada may write and eve only reads. */
export async function sourceForge(kind: ForgeKind) {
  const folder = tempFolder();
  const forge = await startForgeEmulator({ kind, folder: folder.file('forge'), path: PATH });
  const { control } = forge;
  control.addPerson('ada');
  control.addPerson('eve');
  const token = control.addPerson('hall');
  control.addOrganization('acme');
  await control.addRepository(REPO, { files: { 'README.md': 'shop\n' } });
  control.setRole(REPO, 'ada', 'write');
  control.setRole(REPO, 'hall', kind === 'github' ? 'write' : 'admin');
  const connected = {
    kind,
    url: forge.url,
    ...(kind === 'github' && { api_url: forge.apiUrl }),
    token: '$GH_TOKEN',
    poll: { active: '1h', idle: '1h' },
  };
  const connection = { env: { GH_TOKEN: token }, forges: { [kind]: connected } };
  return {
    forge,
    connection,
    ada: control.as('ada'),
    eve: control.as('eve'),
    /** A hall whose project reads the issues that a filter names. */
    start: (filter: object) =>
      SourceHall.start(
        { repo: `${kind}:${REPO}`, sources: [{ kind: KINDS[kind], filter }] },
        connection,
      ),
    async [Symbol.asyncDispose]() {
      await forge.close();
      folder[Symbol.dispose]();
    },
  };
}

const KINDS = { github: 'github-issues', gitea: 'gitea-issues', forgejo: 'forgejo-issues' };

export async function forgeIssues(kind: ForgeKind): Promise<SourceUnderTest> {
  const { forge, ada, start, ...rest } = await sourceForge(kind);
  const hall = await start({ labels: ['ready'] });
  const numbers = new Map<ItemName, number>();
  return {
    hall,
    async put(name, { title, body }) {
      const known = numbers.get(name);
      const number = known ?? ada.openIssue(REPO, { title, body });
      numbers.set(name, number);
      if (known !== undefined) ada.editIssue(REPO, number, { title, body });
      ada.addLabels(REPO, number, ['ready']);
    },
    async remove(name) {
      ada.removeLabel(REPO, numbers.get(name) ?? 0, 'ready');
    },
    sync: async () => void (await hall.sync()),
    outage: {
      begin: () => forge.faults.inject({ is: 'status', status: 500 }, { times: Infinity }),
      end: () => forge.faults.clear(),
    },
    async [Symbol.asyncDispose]() {
      await hall[Symbol.asyncDispose]();
      await rest[Symbol.asyncDispose]();
    },
  };
}

/** Another program that posts by itself: its natural keys are idempotency keys. */
export async function apiSource(): Promise<SourceUnderTest> {
  const hall = await SourceHall.start({ sources: [{ kind: 'api' }] });
  const { caller } = hall.fixture;
  const wanted = new Map<ItemName, Item>();
  const tasks = new Map<ItemName, string>();

  async function post(name: ItemName, item: Item): Promise<void> {
    const body = { project: 'shop', ...item };
    const sent = await caller.post('/v1/tasks', body, { key: `tracker-${name}` });
    tasks.set(name, sent.body.tasks[0].id);
  }

  async function change(task: string, item: Item): Promise<void> {
    const { state } = await hall.fixture.task(task);
    const isEnded = state === 'completed';
    const { id } = isEnded ? await hall.fixture.post(`/v1/tasks/${task}/reopen`) : { id: task };
    await caller.call('PATCH', `/v1/tasks/${id}`, item);
  }

  return {
    hall,
    async put(name, item) {
      const task = tasks.get(name);
      if (task !== undefined) return change(task, item);
      wanted.set(name, item);
    },
    async remove(name) {
      await hall.fixture.post(`/v1/tasks/${tasks.get(name)}/cancel`);
      wanted.delete(name);
    },
    async sync() {
      for (const [name, item] of wanted) await post(name, item);
    },
    outage: null,
    [Symbol.asyncDispose]: () => hall[Symbol.asyncDispose](),
  };
}
