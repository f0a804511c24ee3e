import type { Arg } from '../parsed-command.ts';
import { FINE, review } from './paths.ts';
import {
  alike,
  asks,
  type Call,
  has,
  type Judge,
  operandsOf,
  ownCode,
  refuses,
  verbs,
} from './program-judges.ts';

export const ADDS = asks('it adds a package that is not in the lock file');
export const PUBLISHES = refuses("it publishes under the project's name");

/** Installs without review only what the repository declares or contains. */
export const installs: Judge = (call) => {
  if (
    has(call, '-g', '--global', '--registry', '--index-url', '--extra-index-url', '--script-shell')
  ) {
    return review('it installs globally or from another source');
  }
  const valued = [
    '-r',
    '--requirement',
    '-c',
    '--constraint',
    '--prefix',
    '-C',
    '--dir',
    '--filter',
    '-w',
    '--workspace',
    '--loglevel',
    '--group',
    '--extra',
    '-E',
    '--with',
    '--without',
    '--jobs',
    '--retry',
    '-j',
    '--cache-dir',
    '--network-timeout',
    '--omit',
    '--include',
    '--only',
  ];
  const named = operandsOf(call.argv, valued).find(
    (arg) => !isLocal(arg.start) && !isEdited(call, arg) && !PACKAGING.has(arg.text),
  );
  return named ? ADDS({ ...call, name: named.text }) : ownCode()(call);
};

/** Packaging tools: every manual names them, and they add nothing of their own. */
const PACKAGING: ReadonlySet<string> = new Set(['pip', 'setuptools', 'wheel', 'build']);

/** `-e folder` installs the folder itself, wherever it is in the workspace. */
function isEdited({ argv }: Call, arg: Arg): boolean {
  const before = argv[argv.indexOf(arg) - 1]?.text;
  return (before === '-e' || before === '--editable') && !/:\/\/|\+/.test(arg.start);
}

function isLocal(name: string): boolean {
  return /^(\.{1,2}(\/|\[|$)|file:|\/|dist\/|\.\[)/.test(name) || /\.(whl|tgz|tar\.gz)$/.test(name);
}

export const NPM_DANGEROUS_OPTIONS = [
  '--script-shell',
  '--registry',
  '--userconfig',
  '--globalconfig',
  '--node-options',
  '--git',
  '--shell',
];
export const packages = {
  ...alike('ci install i install-test it clean-install rebuild update up upgrade', installs),
  ...alike('add remove uninstall un rm', ADDS),
  ...alike(
    'publish unpublish deprecate login logout adduser token owner access dist-tag whoami hook team org profile star stars',
    PUBLISHES,
  ),
  ...alike(
    'view info search show create init dlx',
    asks('it queries the registry for a name that the agent chose'),
  ),
  exec: ownCode(),
  x: ownCode(),
  config: ((call) =>
    /^(get|list|ls)$/.test(call.argv[0]?.text ?? 'list')
      ? FINE
      : review('it changes the settings of the package manager')) satisfies Judge,
};
export const packaging = (other: Judge): Judge =>
  verbs(packages, {
    other,
    none: installs,
    dangerous: NPM_DANGEROUS_OPTIONS,
    valued: [
      '--prefix',
      '-C',
      '--dir',
      '--filter',
      '-F',
      '--cwd',
      '-w',
      '--workspace',
      '--loglevel',
    ],
  });

export const NPM_KNOWN = `test t tst run run-script start stop restart ls list ll la outdated audit pack version prune dedupe ddp link ln pkg
  cache explain why root bin prefix help fund doctor completion diff ping query repo bugs docs edit explore set-script shrinkwrap sbom`;
