import { FINE, type Ruling, review, rulePath, strictest } from './paths.ts';
import {
  alike,
  asks,
  type Call,
  harmless,
  has,
  type Judge,
  judgeDangerousOptions,
  operandsOf,
  ownCode,
  refuses,
  verbs,
} from './program-judges.ts';

const NO_NETWORK = 'the cell has no network: the host fetches before the run and pushes after it';
const DANGEROUS = [
  '--ext-diff',
  '--textconv',
  '--upload-pack',
  '--receive-pack',
  '--exec',
  '--open-files-in-pager',
];

/** Works on the repository itself. Options that make git run something else are judged first. */
const local: Judge = (call) =>
  strictest([judgeDangerousOptions(call, { dangerous: DANGEROUS }), ...ruleOutput(call)], FINE);

/** Git settings that cannot name a program. */
const PLAIN_SETTING =
  /^(user\.(name|email)|init\.defaultbranch|commit\.gpgsign|tag\.gpgsign|color\.\w+|advice\.\w+|core\.(autocrlf|eol|filemode|quotepath|longpaths|ignorecase|abbrev)|pull\.(rebase|ff)|merge\.conflictstyle|diff\.(algorithm|renames|noprefix|mnemonicprefix)|safe\.directory|gc\.auto|rebase\.autostash|fetch\.prune|log\.showsignature)(=|$)/i;

export const GIT: Judge = (call) => {
  const ruling = judgeGlobalOptions(call);
  if (ruling) return ruling;
  return verbs(VERBS, {
    other: asks('this git command is not known to be harmless'),
    valued: ['-C', '-c', '--git-dir', '--work-tree', '--namespace'],
    dangerous: ['--exec-path', '--config-env', '--paginate', '-p'],
  })({ ...call, argv: withoutGlobals(call) });
};

/** Judges the global options: a setting can define an alias or a pager, and so name a program. */
function judgeGlobalOptions({ argv, part, at }: Call): Ruling | undefined {
  for (const [n, { text, open }] of argv.entries()) {
    if (!text.startsWith('-')) return undefined;
    const value = argv[n + 1];
    if (text === '-c') {
      if (value?.open !== null || !PLAIN_SETTING.test(value.text)) {
        return review(`git -c ${value?.text ?? ''} can name a program that git runs`);
      }
      return judgeGlobalOptions({ argv: argv.slice(n + 2), part, at, name: 'git' });
    }
    if (text === '-C' && value) {
      const ruling = rulePath(value, 'read', { folders: part.folders, at });
      if (ruling !== FINE) return ruling;
      return judgeGlobalOptions({ argv: argv.slice(n + 2), part, at, name: 'git' });
    }
    if (
      open !== null ||
      !/^--(no-pager|version|help|html-path|bare|literal-pathspecs)$/.test(text)
    ) {
      return review(`git ${text} changes where git looks or what it runs`);
    }
  }
  return undefined;
}

function withoutGlobals({ argv }: Call): Call['argv'] {
  const at = argv.findIndex(
    ({ text }, n) => !text.startsWith('-') && !['-c', '-C'].includes(argv[n - 1]?.text ?? ''),
  );
  return at < 0 ? [] : argv.slice(at);
}

function ruleOutput({ argv, part: { folders }, at }: Call): readonly Ruling[] {
  return argv.flatMap(({ text }, n) => {
    const value =
      /^--output=(.+)$/s.exec(text)?.[1] ?? (text === '--output' ? argv[n + 1]?.text : undefined);
    if (value === undefined) return [];
    return [rulePath({ text: value, open: null, start: value }, 'write', { folders, at })];
  });
}

const config: Judge = (call) => {
  const operands = operandsOf(call.argv, ['--type', '--default']);
  const reads = has(call, '--get', '--get-all', '--list', '-l', '--get-regexp', '--show-origin');
  if (reads || ['list', 'get'].includes(operands[0]?.text ?? '')) return FINE;
  const key = operands[0]?.text === 'set' ? operands[1] : operands[0];
  const elsewhere = has(call, '--system', '--file', '-f', '--edit', '-e', '--blob');
  if (elsewhere) return review('it changes git settings outside the workspace');
  if (operands.length === 1 || PLAIN_SETTING.test(key?.text ?? '')) return FINE;
  return review(`the setting ${key?.text ?? ''} can name a program that git runs`);
};

const remote: Judge = (call) => {
  const [verb] = operandsOf(call.argv, []);
  if (!verb || ['get-url', 'show', '-v'].includes(verb.text)) return FINE;
  return review('it changes where git fetches from and pushes to');
};

const submodule: Judge = (call) => {
  const [verb] = operandsOf(call.argv, []);
  return !verb || (['status', 'summary', 'foreach'].includes(verb.text) && verb.text !== 'foreach')
    ? FINE
    : { verdict: 'deny', because: NO_NETWORK };
};

/** Git-ignored files are build output; `-X` leaves everything else. */
function cleansIgnored({ argv }: Call): boolean {
  return (
    argv.some(({ text }) => /^-[a-z]*X/.test(text)) &&
    !argv.some(({ text }) => /^-[a-zA-Z]*x/.test(text))
  );
}

const VERBS = {
  ...alike(
    `status diff log show add commit checkout switch branch restore stash rev-parse describe ls-files blame annotate tag
    merge cherry-pick revert reset rm mv shortlog reflog apply am format-patch cat-file hash-object rev-list
    name-rev merge-base diff-tree diff-index diff-files for-each-ref show-ref symbolic-ref ls-tree check-ignore
    check-attr check-ref-format notes init gc fsck count-objects update-index update-ref write-tree read-tree
    commit-tree var version help whatchanged range-diff merge-tree stripspace column mktree mktag worktree
    verify-commit verify-tag sparse-checkout pack-refs prune cherry get-tar-commit-id rerere interpret-trailers`,
    local,
  ),
  grep: ((call) =>
    strictest(
      [judgeDangerousOptions(call, { dangerous: [...DANGEROUS, '-O'] })],
      FINE,
    )) satisfies Judge,
  rebase: ((call) =>
    judgeDangerousOptions(call, {
      dangerous: [...DANGEROUS, '-x', '-i', '--interactive'],
    })) satisfies Judge,
  bisect: ((call) =>
    call.argv[0]?.text === 'run'
      ? review('git bisect run starts another program')
      : FINE) satisfies Judge,
  archive: ((call) =>
    judgeDangerousOptions(call, {
      dangerous: ['--remote', '--exec', '-o', '--output'],
    })) satisfies Judge,
  clean: ((call) =>
    has(call, '-n', '--dry-run') || cleansIgnored(call)
      ? FINE
      : review('it removes untracked files')) satisfies Judge,
  config,
  remote,
  submodule,
  lfs: ownCode(),
  ...alike('push', refuses('the host pushes after the run: commit the work and report it')),
  ...alike(
    'fetch pull clone ls-remote remote-https remote-http fetch-pack send-pack http-fetch http-push',
    refuses(NO_NETWORK),
  ),
  ...alike(
    'send-email imap-send request-pull svn p4 daemon instaweb credential upload-pack receive-pack',
    refuses('it connects to other machines'),
  ),
  'cat-file': harmless,
};
