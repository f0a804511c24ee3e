import type { Arg } from '../parsed-command.ts';
import { FINE, normal, type Ruling, review, rulePath, strictest } from './paths.ts';
import {
  alike,
  asks,
  type Call,
  harmless,
  has,
  type Judge,
  operandsOf,
  reads,
  ruleSecrets,
  verbs,
  writes,
} from './program-judges.ts';
import { isPlainSed } from './sed-script.ts';

/** Programs that read files, change them, or do neither. */
export const FILE_PROGRAMS: Readonly<Record<string, Judge>> = {
  ...alike(
    `echo true false : test [ sleep pwd basename dirname seq expr uname whoami id which type hash exit return
    break continue shift set shopt wait jobs bg fg disown tput clear nproc arch hostname umask ulimit let local declare
    typeset readonly unset read getopts export times trap alias unalias kill pkill killall logname groups tty users
    factor numfmt date printf yes eval times caller dirs help suspend logout exec command builtin env nohup time
    timeout nice ionice stdbuf setsid cal uptime free ps top pgrep locale getconf mktemp printenv sync errno
    reset stty lsb_release sw_vers nl_langinfo enable compgen complete bind history fc mapfile readarray
    unbuffer chrt taskset gtimeout xargs watch flock popd pushd`,
    harmless,
  ),
  ...alike(
    `cat head wc ls dir stat du df diff cmp comm cut nl tac rev fold fmt paste join column expand
    unexpand md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum md5 od hexdump strings
    realpath readlink file nm objdump readelf ldd size zcat bzcat xzcat zgrep cloc tokei scc colordiff
    cd exa eza lsof shellcheck hadolint actionlint pathchk`,
    reads(),
  ),
  tail: reads({ valued: ['-n', '-c'] }),
  xxd: (call) => (has(call, '-r') ? writes()(call) : readsOrCopies(['-l', '-s', '-c', '-g'])(call)),
  uniq: readsOrCopies(['-f', '-s', '-w']),
  tree: reads({ valued: ['-L', '-I', '-P'], dangerous: ['-o'] }),
  iconv: reads({ valued: ['-f', '-t'], dangerous: ['-o', '--output'] }),
  xmllint: reads({ dangerous: ['--output', '-o', '--shell'] }),
  ...alike('bat batcat', reads({ dangerous: ['--pager', '--config-file'] })),
  tr: harmless,
  ...alike(
    'grep egrep fgrep',
    reads({
      skip: 1,
      unless: ['-e', '-f', '--regexp', '--file'],
      valued: [
        '-e',
        '-m',
        '-A',
        '-B',
        '-C',
        '--include',
        '--exclude',
        '--exclude-dir',
        '--max-count',
        '--color',
      ],
    }),
  ),
  ...alike(
    'rg ag ack',
    reads({
      skip: 1,
      unless: ['-e', '-f', '--files', '--regexp'],
      valued: [
        '-e',
        '-g',
        '-t',
        '-T',
        '-m',
        '-A',
        '-B',
        '-C',
        '--glob',
        '--type',
        '--iglob',
        '--max-depth',
        '--sort',
      ],
      dangerous: ['--pre', '--hostname-bin', '--pager', '--search-zip', '-z', '--config'],
    }),
  ),
  jq: reads({
    skip: 1,
    unless: ['-f', '--from-file'],
    valued: ['--arg', '--argjson', '--indent', '--tab'],
  }),
  yq: (call) =>
    has(call, '-i', '--inplace') ? writes({ skip: 1 })(call) : reads({ skip: 1 })(call),
  sort: reads({
    valued: ['-k', '-t', '-S'],
    dangerous: [
      '--compress-program',
      '-o',
      '--output',
      '-T',
      '--temporary-directory',
      '--files0-from',
    ],
  }),
  less: asks('less can run other programs'),
  more: asks('more can run other programs'),
  find: judgeFind,
  fd: reads({ skip: 1, dangerous: ['-x', '-X', '--exec', '--exec-batch'] }),
  sed: judgeSed,
  ...alike('awk gawk mawk nawk', judgeAwk),
  ...alike(
    'mkdir touch cp mv rmdir truncate split csplit mkfifo patch gzip gunzip bzip2 xz unxz zstd unzip zip dos2unix unix2dos',
    writes({
      valued: ['-m', '-d', '-p', '-i', '-l', '-b', '-n', '-s', '--mode', '--date', '--size'],
    }),
  ),
  tee: writes(),
  install: writes({ valued: ['-m', '-o', '-g', '--mode'], dangerous: ['--strip-program'] }),
  ln: writes(),
  chmod: (call) => {
    if (call.argv.some(({ text }) => /^[0-7]*[4-7][0-7]{3}$|[+=][rwx]*s/.test(text))) {
      return review('it makes a file setuid or setgid');
    }
    return writes({ skip: 1 })(call);
  },
  rm: judgeRemoval,
  rimraf: judgeRemoval,
  'del-cli': judgeRemoval,
  trash: judgeRemoval,
  unlink: writes(),
  shx: verbs(
    {
      ...alike('rm', judgeRemoval),
      ...alike('cp mv mkdir touch chmod', writes()),
      ...alike('echo cat ls pwd test true', reads()),
    },
    { other: asks('the effect of this command is unknown') },
  ),
  ...alike(
    'cpy cpx cpy-cli copyfiles ncp mkdirp make-dir make-dir-cli',
    writes({ valued: ['-u', '--up', '-e', '--exclude'] }),
  ),
  tar: judgeTar,
  rsync: judgeRsync,
  ...alike(
    'chown chgrp mount umount chroot losetup mkfs fdisk dd shred',
    asks('it changes more than file contents'),
  ),
};

/** Prints its first file, or writes to a second one. */
function readsOrCopies(valued: readonly string[]): Judge {
  return (call) =>
    operandsOf(call.argv, valued).length > 1 ? writes({ valued })(call) : reads({ valued })(call);
}

const BUILD_OUTPUT =
  /^(dist|dist-[\w-]+|build|build-[\w-]+|built|_build|out|out-[\w-]+|output|es\d*|esm|cjs|umd|lib-?(cjs|esm|es)|coverage[\w-]*|\.coverage|htmlcov|node_modules|target|obj|\.next|\.nuxt|\.output|\.svelte-kit|\.turbo|\.cache|\.parcel-cache|\.vite|\.nyc_output|\.tox|\.nox|\.mypy_cache|\.ruff_cache|\.pytest_cache|\.eggs|\.hypothesis|__pycache__|[\w.*-]+\.egg-info|\.tsbuildinfo|[\w.-]*\.tsbuildinfo|\.eslintcache|storybook-static|_site|public\/build|docs\/_build|docs\/build|\.docusaurus|\.gradle|\.dart_tool|vendor\/bundle|wheelhouse|prebuilds|typings|generated|\.expo|artifacts|ebin|reports?|test-results|playwright-report|\.rollup\.cache|\.rpt2_cache[\w-]*)$/;

/** Removing single files or build output loses nothing; removing a whole tree may. */
function judgeRemoval(call: Call): Ruling {
  const { part, at, argv, name } = call;
  const recursive =
    !/(^|\s)rm$/.test(name) || argv.some(({ text }) => /^-[A-Za-z]*[rR]|^--rec/.test(text));
  const targets = operandsOf(argv, []);
  const paths = targets.map((target) => rulePath(target, 'write', { folders: part.folders, at }));
  const worst = strictest(paths, FINE);
  if (worst !== FINE || !recursive) return worst;
  const other = targets.find((target) => !isBuildOutput(target, call));
  return other
    ? review(`${other.text} may be a whole folder, and removing it cannot be undone`)
    : FINE;
}

function isBuildOutput({ text, open }: Arg, { at, part }: Call): boolean {
  if (open === 'unknown' || open === 'names') return false;
  const path = text.replace(/\/+(\*+)?$/, '');
  const isTop = normal(`${at.cwd}/${path}`) === normal(at.worktree);
  if (isTop || path === '' || path === '.' || part.folders === null) return false;
  const pieces = path.split('/');
  const last = pieces.at(-1) ?? '';
  const two = pieces.slice(-2).join('/');
  return (
    BUILD_OUTPUT.test(last) ||
    BUILD_OUTPUT.test(two) ||
    /(\.(log|tmp|pyc|pyo|tgz|o|a|so|map|vsix|lcov|tsbuildinfo|orig|rej|swp|d\.ts)|~|^\.DS_Store)$/.test(
      last,
    ) ||
    pieces
      .slice(0, -1)
      .some((piece) => /^(dist|build|node_modules|target|coverage|out|\.cache)$/.test(piece))
  );
}

function judgeFind(call: Call): Ruling {
  const first = call.argv.findIndex(({ text }) => /^[-(!]/.test(text));
  const starts = first < 0 ? call.argv : call.argv.slice(0, first);
  const { part, at } = call;
  const paths = starts.map((start) => rulePath(start, 'read', { folders: part.folders, at }));
  const tests = call.argv.slice(first < 0 ? call.argv.length : first);
  const suspicious = tests.find(({ text, open }) => open === 'unknown' || FIND_WRITES.test(text));
  if (suspicious)
    paths.push(review(`find ${suspicious.text} writes files, or its effect is unknown`));
  const removes = tests.some(({ text }) => text === '-delete');
  if (removes && !findsBuildOutput(call, tests))
    paths.push(review('find -delete removes every file that it finds'));
  return strictest([...paths, ...ruleSecrets(call)], FINE);
}

const FIND_WRITES = /^-(fprint|fprint0|fprintf|fls|files0-from)$/;

/** Searches by name, and only for what a build or an editor leaves behind. */
function findsBuildOutput(call: Call, tests: readonly Arg[]): boolean {
  const names = tests.filter((_, at) => /^-i?name$/.test(tests[at - 1]?.text ?? ''));
  return names.length > 0 && names.every((name) => isBuildOutput(name, call));
}

/** Accepts sed commands that print, change or delete lines. `e`, `w` and `r` are not among them. */
function judgeSed(call: Call): Ruling {
  const inPlace = call.argv.some(({ text }) => /^-[nErsz]*i|^--in-place/.test(text));
  const valued = ['-e', '--expression', '-f', '--file', '-l'];
  const scripts = scriptsOf(call.argv, ['-e', '--expression']);
  const own = scripts.length === 0 && !has(call, '-f', '--file');
  const operands = operandsOf(call.argv, valued);
  const texts = own ? operands.slice(0, 1) : scripts;
  const unclear = texts.find((text) => text.open !== null || !isPlainSed(text.text));
  if (unclear) return review(`cannot determine what the sed script ${unclear.text} does`);
  if (has(call, '-f', '--file')) return review('the sed script is in a file');
  const { part, at } = call;
  const files = operands.slice(own ? 1 : 0).filter(({ text }) => text !== '');
  return strictest(
    files.map((file) => rulePath(file, inPlace ? 'write' : 'read', { folders: part.folders, at })),
    FINE,
  );
}

function scriptsOf(argv: readonly Arg[], options: readonly string[]): readonly Arg[] {
  return argv.flatMap(({ text }, at) => {
    if (options.includes(text)) return argv[at + 1] ?? [];
    const value = /^--expression=(.*)$/s.exec(text)?.[1] ?? /^-e(.+)$/s.exec(text)?.[1];
    return value === undefined ? [] : [{ text: value, open: null, start: value }];
  });
}

/** Accepts awk programs that only compute and print: they start nothing and write no file. */
function judgeAwk(call: Call): Ruling {
  const valued = ['-F', '-v', '--field-separator', '--assign'];
  const externalCode = [
    '-f',
    '--file',
    '-i',
    '--include',
    '-l',
    '--load',
    '-e',
    '-E',
    '--exec',
    '--source',
  ];
  if (has(call, ...externalCode)) return review('the awk program is in a file or an extension');
  const [program, ...files] = operandsOf(call.argv, valued);
  if (!program) return FINE;
  if (program.open !== null || !isPlainAwk(program.text)) {
    return review(`cannot determine what the awk program ${program.text} does`);
  }
  const { part, at } = call;
  return strictest(
    files.map((file) => rulePath(file, 'read', { folders: part.folders, at })),
    FINE,
  );
}

function isPlainAwk(program: string): boolean {
  const outsideOfText = program.replace(/"(?:[^"\\]|\\.)*"/g, '""').replace(/\|\|/g, ' ');
  if (
    /\b(system|getline|fflush|close|ENVIRON|PROCINFO|load|extension|include)\b|@|\|/.test(
      outsideOfText,
    )
  )
    return false;
  return !/\bprintf?\b[^;}\n]*>/.test(outsideOfText);
}

function judgeTar(call: Call): Ruling {
  const dangerous = [
    '--to-command',
    '--use-compress-program',
    '-I',
    '--checkpoint-action',
    '--rsh-command',
    '--info-script',
    '-F',
    '--new-volume-script',
    '-P',
    '--absolute-names',
  ];
  const remote = call.argv.find(({ text }) => /^(-f)?[\w.@-]+:[^/\\]/.test(text));
  if (remote) return review(`${remote.text} may be a file on another machine`);
  return writes({ dangerous, valued: ['--exclude', '--transform', '--strip-components'] })(call);
}

function judgeRsync(call: Call): Ruling {
  if (call.argv.some(({ text }) => /::|^rsync:|^[\w.@-]+:/.test(text))) {
    return { verdict: 'deny', because: 'it copies to or from another machine' };
  }
  return writes({
    dangerous: ['-e', '--rsh', '--rsync-path', '--delete', '--files-from'],
    valued: ['--exclude', '--include'],
  })(call);
}
