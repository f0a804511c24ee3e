import { EmulatorRefused } from './emulator-refused.ts';
import type {
  Account,
  App,
  Caller,
  CheckOutput,
  CheckRun,
  CheckSuite,
  Conclusion,
  Repository,
  Status,
} from './model.ts';
import { isCovered, isGranted, NEEDS, requireRight } from './rights.ts';
import type { World } from './world.ts';

interface By {
  readonly caller: Caller;
  readonly repository: Repository;
}

type StatusFacts = Pick<Status, 'sha' | 'context' | 'state' | 'description' | 'targetUrl'>;

export function setStatus(
  world: World,
  { caller, repository }: By,
  { creator, ...facts }: StatusFacts & { readonly creator: Account },
): Status {
  requireRight(world, { caller, repository }, NEEDS.setStatus);
  return addStatus(world, repository, { ...facts, creator, sender: creator });
}

export function addStatus(
  world: World,
  repository: Repository,
  {
    sender,
    ...facts
  }: StatusFacts & { readonly creator: Account | null; readonly sender: Account },
): Status {
  const status = { ...facts, id: world.nextId('status'), createdAt: world.now() };
  repository.statuses.push(status);
  world.emit({ is: 'status_set', repository, sender, status });
  return status;
}

/** The newest of each context, oldest context first. */
export function latestStatuses({ statuses }: Repository, sha: string): Status[] {
  const latest = new Map<string, Status>();
  for (const status of statuses) if (status.sha === sha) latest.set(status.context, status);
  return [...latest.values()];
}

export interface CheckRunFacts {
  readonly name: string;
  readonly isStarted: boolean;
  readonly conclusion: Conclusion;
  readonly output: CheckOutput;
  readonly detailsUrl: string | null;
  readonly externalId: string;
}

export const NO_OUTPUT: CheckOutput = { title: null, summary: null, text: null, annotations: 0 };

/** Only an App may: a person is refused. */
export function createCheckRun(
  world: World,
  { caller, repository }: By,
  { sha, ...facts }: CheckRunFacts & { readonly sha: string },
): CheckRun {
  const app = checkingApp(caller, repository);
  const suite = suiteOf(world, repository, { sha, app });
  return addCheckRun(world, suite, { ...facts, sender: app.bot });
}

export function editCheckRun(
  world: World,
  { caller, repository }: By,
  { run, facts }: { readonly run: CheckRun; readonly facts: Partial<CheckRunFacts> },
): void {
  const app = checkingApp(caller, repository);
  if (run.suite.app !== app) throw new EmulatorRefused('app_lacks_permission', 'checks:write');
  applyToRun(world, { run, sender: app.bot }, facts);
}

export function addCheckRun(
  world: World,
  suite: CheckSuite,
  { sender, ...facts }: CheckRunFacts & { readonly sender: Account },
): CheckRun {
  const at = world.now();
  const run: CheckRun = {
    ...facts,
    id: world.nextId('check_run'),
    suite,
    startedAt: at,
    completedAt: facts.conclusion === null ? null : at,
  };
  const { repository } = suite;
  repository.checkRuns.push(run);
  world.emit({ is: 'check_run_changed', repository, sender, run, action: 'created' });
  if (run.conclusion !== null) emitCompleted(world, { run, sender });
  return run;
}

export function applyToRun(
  world: World,
  { run, sender }: { readonly run: CheckRun; readonly sender: Account },
  facts: Partial<CheckRunFacts>,
): void {
  const wasOpen = run.conclusion === null;
  Object.assign(run, facts);
  if (run.conclusion === null) return;
  run.completedAt = world.now();
  if (wasOpen) emitCompleted(world, { run, sender });
}

/** One suite for each App and commit. */
export function suiteOf(
  world: World,
  repository: Repository,
  { sha, app }: { readonly sha: string; readonly app: App },
): CheckSuite {
  const known = repository.suites.find((each) => each.sha === sha && each.app === app);
  if (known) return known;
  const [branch = ''] = [...repository.branches].find(([, tip]) => tip === sha) ?? [];
  const own = { id: world.nextId('check_suite'), repository, sha, branch, app };
  const suite = { ...own, createdAt: world.now() };
  repository.suites.push(suite);
  return suite;
}

/** GitHub opens a suite for every App that may write checks, which stays queued if the App does nothing. */
export function openSuites(world: World, repository: Repository, sha: string): void {
  const installed = world.apps.filter(({ permissions, installations }) => {
    const covers = installations.some(
      ({ account, repositories: only }) =>
        account === repository.owner && (only?.has(repository) ?? true),
    );
    return permissions['checks'] === 'write' && covers;
  });
  for (const app of installed) suiteOf(world, repository, { sha, app });
}

/** A rerun adds a run of the same name; only the newest counts. */
export function latestRuns({ checkRuns }: Repository, sha: string): CheckRun[] {
  const latest = new Map<string, CheckRun>();
  for (const run of checkRuns) {
    if (run.suite.sha === sha) latest.set(`${run.suite.id} ${run.name}`, run);
  }
  return [...latest.values()];
}

/** The conclusion of a suite: the worst of its runs, or null while one is not finished. */
export function conclusionOf(suite: CheckSuite): Conclusion {
  const runs = latestRuns(suite.repository, suite.sha).filter((run) => run.suite === suite);
  if (runs.length === 0 || runs.some(({ conclusion }) => conclusion === null)) return null;
  const bad = runs.find(({ conclusion }) => !FINE.includes(conclusion ?? ''));
  return bad?.conclusion ?? 'success';
}

const FINE: readonly string[] = ['success', 'neutral', 'skipped'];

export function checksAreGreen(
  repository: Repository,
  sha: string,
  names: readonly string[],
): boolean {
  const green = [
    ...latestStatuses(repository, sha)
      .filter(({ state }) => state === 'success')
      .map(({ context }) => context),
    ...latestRuns(repository, sha)
      .filter(({ conclusion }) => FINE.includes(conclusion ?? ''))
      .map(({ name }) => name),
  ];
  return names.every((name) => green.includes(name));
}

/** True if anything that is not required is red or not finished. */
export function checksAreUnstable(repository: Repository, sha: string): boolean {
  return (
    latestStatuses(repository, sha).some(({ state }) => state !== 'success') ||
    latestRuns(repository, sha).some(({ conclusion }) => !FINE.includes(conclusion ?? ''))
  );
}

function checkingApp(caller: Caller, repository: Repository): App {
  if (caller.is !== 'installation') throw new EmulatorRefused('only_for_apps');
  const isAllowed = isGranted(caller.permissions, 'checks:write') && isCovered(caller, repository);
  if (!isAllowed) throw new EmulatorRefused('app_lacks_permission', 'checks:write');
  return caller.installation.app;
}

function emitCompleted(
  world: World,
  { run, sender }: { readonly run: CheckRun; readonly sender: Account },
): void {
  const { suite } = run;
  const { repository } = suite;
  world.emit({ is: 'check_run_changed', repository, sender, run, action: 'completed' });
  if (conclusionOf(suite) === null) return;
  world.emit({ is: 'check_suite_changed', repository, sender, suite });
}
