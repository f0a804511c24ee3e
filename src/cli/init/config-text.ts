import { readFileSync } from 'node:fs';
import type { RecognisedForge } from './forge-remote.ts';
import type { Check } from './found-commands.ts';

/** What the file says about the project and who pays for it. */
export interface Chosen {
  readonly project: string;
  readonly repo: string;
  readonly checks?: readonly Check[];
  readonly setup?: readonly string[];
  readonly hosts?: readonly string[];
  /** Who pays, and the variable with the credential. */
  readonly payer?: { readonly handle: string; readonly variable: string } | null;
  /** The forge that has the repository. */
  readonly forge?: Pick<RecognisedForge, 'kind' | 'url'> | null;
  /** Null leaves the best that the machine supports. */
  readonly isolation?: string | null;
}

/** The example of the package, filled in. */
export function configText(chosen: Chosen): string {
  const { project, repo, checks = [], setup = [], hosts = [], payer, isolation, forge } = chosen;
  const example = readFileSync(new URL('../../../guildhall.example.yaml', import.meta.url), 'utf8');
  const lines = [
    ['    repo: file:.', `    repo: ${repo}`],
    ['  - name: example', `  - name: ${project}`],
    ['    # checks:', checks.length > 0 && `    checks: [${checks.map(checkText).join(', ')}]`],
    ['    # setup:', setup.length > 0 && `    setup: [${setup.map(quoted).join(', ')}]`],
    ['    # network:', hosts.length > 0 && `    network: [${hosts.join(', ')}]`],
    ['    # isolation:', isolation && `    isolation: ${isolation}`],
    ['# forges:', forge && 'forges:'],
    ['#   forge: {', forge && forgeText(forge)],
    ['# invokers:', payer && 'invokers:'],
    [
      '#   - { handle: your-login',
      payer &&
        `  - { handle: ${quoted(payer.handle)}, credential: $${payer.variable}, weekly_cap: 25 }`,
    ],
  ] as const;
  return example
    .split('\n')
    .map((line) => {
      const [, filled] = lines.find(([start]) => line.startsWith(start)) ?? [];
      return filled ? `${filled}${commentOf(line)}` : line;
    })
    .join('\n');
}

/** Its secrets are stored later, by `guildhall forge add`. */
function forgeText({ kind, url }: NonNullable<Chosen['forge']>): string {
  const place = kind === 'github' ? '' : `kind: ${kind}, url: ${quoted(url)}, `;
  const secrets = `token: secret:${kind}-token, webhook_secret: secret:${kind}-webhook`;
  return `  ${kind}: { ${place}${secrets} }`;
}

function checkText({ name, run }: Check): string {
  return `{ name: ${quoted(name)}, run: ${quoted(run)} }`;
}

/** JSON is YAML too. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/** The explanation at the end of a line of the example. */
function commentOf(line: string): string {
  return / {2}#.*$/.exec(line.slice('    # '.length))?.[0] ?? '';
}
