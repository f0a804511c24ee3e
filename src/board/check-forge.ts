import { labelChanges, labelSet } from '../domain/forge/label-set.ts';
import type { ConnectableForge } from '../ports/forge-setup.ts';
import type { ConnectNeeds, RepositoryPlace } from './connect-repository.ts';
import { forgeFault } from './forge-fault.ts';
import { coverageOf } from './watch-repositories.ts';

/** One thing about a connected forge that was tried. */
export interface ForgeFinding {
  /** The forge, or one of its repositories. */
  readonly about: string;
  readonly health: 'good' | 'odd' | 'bad';
  readonly says: string;
  readonly fix: string | null;
}

interface Needs extends ConnectNeeds {
  /** Sends a signed delivery of a forge to the hall's own address; null when the hall accepted it. */
  readonly sendTestDelivery: (forge: string, url: string, secret: string) => Promise<string | null>;
  readonly now: () => number;
}

interface Checked {
  readonly name: string;
  readonly forge: ConnectableForge;
  readonly places: readonly RepositoryPlace[];
}

/** Tries out everything that the hall does on a forge: each right by using it, the webhook by a delivery. */
export async function checkForge(needs: Needs, checked: Checked): Promise<readonly ForgeFinding[]> {
  const { name, forge, places } = checked;
  const account = await tried(name, () => checkAccount(checked));
  if (account.some(({ health }) => health === 'bad')) return account;
  const findings = [...account, ...(await tried(name, () => checkDelivery(needs, name)))];
  for (const place of places) {
    findings.push(...(await tried(place.repo, () => checkRights(place))));
    findings.push(...(await tried(place.repo, () => checkLabels(needs, place))));
    findings.push(...(await tried(place.repo, () => checkHook(needs, place))));
    findings.push(...(await checkTeams(needs, place)));
  }
  if (places.length > 0) findings.push(...(await tried(name, () => checkCi(name, forge))));
  return findings;
}

async function tried(
  about: string,
  check: () => Promise<readonly ForgeFinding[]>,
): Promise<readonly ForgeFinding[]> {
  let findings: readonly ForgeFinding[] = [];
  const fault = await forgeFault(async () => {
    findings = await check();
  });
  if (fault === null) return findings;
  const fix = fault.retry === 'later' ? 'try again; see whether the forge answers' : null;
  return [{ about, health: 'bad', says: fault.message, fix }];
}

async function checkAccount({ name, forge }: Checked): Promise<readonly ForgeFinding[]> {
  const { login } = await forge.account();
  const assignable: ForgeFinding = forge.can.assignable
    ? good(name, `issues can be assigned to ${login}`)
    : {
        about: name,
        health: 'odd',
        says: `issues cannot be assigned to ${login}, because it is an App`,
        fix: 'set the label hall:dispatch-automaton instead, or assign an account that a type names as its forge_user',
      };
  return [good(name, `acts as ${login}`), assignable];
}

async function checkDelivery(needs: Needs, name: string): Promise<readonly ForgeFinding[]> {
  const url = needs.webhookUrl(name);
  const [secret] = needs.webhookSecrets(name);
  if (url === null || secret === undefined) return [];
  const fault = await needs.sendTestDelivery(name, url, secret);
  if (fault === null) return [good(name, `a signed delivery to ${url} is accepted`)];
  const fix = 'set hall.public_url to the address by which the forge reaches this hall';
  return [{ about: name, health: 'bad', says: `a signed delivery to ${url} fails: ${fault}`, fix }];
}

async function checkRights({ repo, path, forge }: RepositoryPlace) {
  const rights = await forge.setup.proveRights(path);
  const lacking = rights.filter(({ refusal }) => refusal !== null);
  if (lacking.length === 0) {
    return [good(repo, `the hall may ${rights.map(({ right }) => right).join(', ')}`)];
  }
  return lacking.map(
    ({ right, refusal, fix }): ForgeFinding => ({
      about: repo,
      health: 'bad',
      says: `the hall may not ${right}: ${refusal}`,
      fix,
    }),
  );
}

async function checkLabels({ hall }: Needs, { repo, path, forge }: RepositoryPlace) {
  const wanted = labelSet(hall.board);
  const { create, edit } = labelChanges(await forge.setup.labels(path), wanted);
  const wrong = [...create, ...edit.map(({ label }) => label)].map(({ name }) => name);
  if (wrong.length === 0) return [good(repo, `has all ${wanted.length} labels of the hall`)];
  const finding: ForgeFinding = {
    about: repo,
    health: 'odd',
    says: `labels are missing or were edited: ${wrong.join(', ')}`,
    fix: 'the hall puts them right by itself, if it may write labels',
  };
  return [finding];
}

async function checkHook(needs: Needs, place: RepositoryPlace): Promise<readonly ForgeFinding[]> {
  const { repo, name } = place;
  const hook = await coverageOf(needs, place);
  if (hook.is === 'polled') {
    const says = `is polled: ${hook.because}`;
    const isExpected = needs.webhookUrl(name) === null;
    const fix = isExpected
      ? 'set hall.public_url if the forge can reach this hall, then run: guildhall forge add'
      : 'run: guildhall forge add';
    return [
      { about: repo, health: isExpected ? 'good' : 'odd', says, fix: isExpected ? null : fix },
    ];
  }
  const last = needs.deliveries.lastOf(repo);
  if (last !== null)
    return [good(repo, `a webhook covers it; last delivery ${ago(needs.now() - last)}`)];
  const says = 'a webhook covers it, but no delivery came since the hall started';
  return [{ about: repo, health: 'good', says, fix: null }];
}

/** Personas that name teams can be asked for only by people whom the hall sees in them. */
async function checkTeams(
  { hall }: Needs,
  { repo, path, forge }: RepositoryPlace,
): Promise<readonly ForgeFinding[]> {
  const personas = [...hall.board.personas.values()].filter(({ retired }) => !retired);
  const teams = new Set(personas.flatMap(({ settings }) => settings.teams));
  const findings: ForgeFinding[] = [];
  for (const team of teams) {
    const check = async () => {
      await forge.isInTeam(path, team, await forge.account());
      return [good(repo, `the hall asks who is in ${team}`)];
    };
    findings.push(...(await tried(repo, check)));
  }
  return findings;
}

async function checkCi(name: string, forge: ConnectableForge): Promise<readonly ForgeFinding[]> {
  const because = await forge.setup.whyPushStartsNoCi();
  if (because === null) return [good(name, 'a push by the hall starts CI')];
  const says = `a push by the hall does not start CI: ${because}`;
  return [{ about: name, health: 'bad', says, fix: 'run: guildhall forge add' }];
}

function good(about: string, says: string): ForgeFinding {
  return { about, health: 'good', says, fix: null };
}

/** For people: `3 min ago`. */
export function ago(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'less than a minute ago';
  return minutes < 120 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`;
}
