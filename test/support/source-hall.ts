import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { guildhall } from '../acceptance/cli-command.ts';
import { gitAs, write } from './git-fixture.ts';
import { HallFixture, type Json } from './hall-fixture.ts';
import { HallInProcess } from './hall-in-process.ts';
import type { HallProcessOptions } from './hall-process.ts';
import { tempFolder } from './temp-folder.ts';

/** A repository in a folder, in which a person commits. */
export interface SourceRepository extends Disposable {
  readonly path: string;
  commit(files: Readonly<Record<string, string | null>>): void;
}

export function sourceRepository(): SourceRepository {
  const temp = tempFolder();
  const path = temp.file('shop');
  gitAs(temp.path, 'init', '--quiet', '--initial-branch=main', path);
  const repository: SourceRepository = {
    path,
    commit(files) {
      for (const [name, text] of Object.entries(files)) {
        if (text !== null) write(path, { [name]: text });
        else if (existsSync(join(path, name))) rmSync(join(path, name));
      }
      gitAs(path, 'add', '--all');
      gitAs(path, 'commit', '--quiet', '--allow-empty', '-m', 'change');
    },
    [Symbol.dispose]: () => temp[Symbol.dispose](),
  };
  repository.commit({ 'readme.md': 'shop\n' });
  return repository;
}

/** A running hall with one project and its task source. It starts no workers. */
export class SourceHall implements AsyncDisposable {
  readonly hall: HallInProcess;
  readonly fixture: HallFixture;

  private constructor(hall: HallInProcess) {
    this.hall = hall;
    this.fixture = new HallFixture(hall);
  }

  static async start(
    project: object,
    { hall: settings = {}, ...options }: HallProcessOptions = {},
    start: (options: HallProcessOptions) => Promise<HallInProcess> = HallInProcess.start,
  ): Promise<SourceHall> {
    const hall = await start({
      ...options,
      declared: [{ name: 'shop', max_workers: 50, ...project }],
      hall: { max_recruits: 0, sources: QUICK, ...settings },
    });
    return new SourceHall(hall);
  }

  /** The one source of the project. */
  async source(): Promise<Json> {
    const { sources } = await this.fixture.get('/v1/sources');
    return sources[0];
  }

  async sync(): Promise<Json> {
    const { id } = await this.source();
    return this.fixture.post(`/v1/sources/${id}/sync`);
  }

  /** The tasks of the project, oldest first. */
  async tasks(): Promise<readonly Json[]> {
    const { tasks } = await this.fixture.get('/v1/tasks?limit=100');
    return tasks.toReversed();
  }

  async taskCalled(title: string | RegExp): Promise<Json> {
    const matches = (text: string) =>
      typeof title === 'string' ? text === title : title.test(text);
    return (await this.tasks()).find((task) => matches(task.title));
  }

  async health(): Promise<Json> {
    const { components } = await this.fixture.get('/v1/health');
    return components.find(({ name }: Json) => name === 'sources');
  }

  run(...args: readonly string[]) {
    return guildhall([...args, '--config', this.hall.config], { cwd: this.hall.folder });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.fixture[Symbol.dispose]();
    await this.hall[Symbol.asyncDispose]();
  }
}

/** Nothing is read by itself, so that a test says when. */
const QUICK = { poll_seconds: 3_600, retry_seconds: 0.05, probe_seconds: 0.2 };
