import { GIT } from './git.ts';
import { interpreter, NODE_VALUED, node, PLAIN_NODE, python, ruleScript } from './interpreters.ts';
import {
  ADDS,
  installs,
  NPM_DANGEROUS_OPTIONS,
  NPM_KNOWN,
  PUBLISHES,
  packages,
  packaging,
} from './packages.ts';
import { FINE, review, ruleCode, strictest } from './paths.ts';
import {
  alike,
  asks,
  has,
  type Judge,
  operandsOf,
  ownCode,
  refuses,
  verbs,
} from './program-judges.ts';

const cargo: Judge = verbs(
  {
    ...alike(
      'build b check c test t clippy fmt doc run r bench clean tree metadata nextest expand fix fetch update generate-lockfile locate-project pkgid verify-project vendor audit deny outdated udeps llvm-cov tarpaulin miri hack insta make xtask machete sort semver-checks package version rustc rustdoc hakari component ndk wasi workspaces kani dist msrv criterion about set-version readme fuzz component-model',
      ownCode({ dangerous: ['--config'] }),
    ),
    ...alike('publish login logout owner yank', PUBLISHES),
    install: ((call) => (has(call, '--path') ? ownCode()(call) : ADDS(call))) satisfies Judge,
    ...alike('add remove init new search', ADDS),
  },
  { other: asks('this cargo command is not known to be harmless'), dangerous: ['--config'] },
);

const goPackages: Judge = (call) => {
  if (has(call, '-toolexec', '-exec', '-overlay', '-modfile', '-vettool'))
    return review('go would run another program');
  if (call.argv.some(({ text }) => /-extld|-fplugin/.test(text)))
    return review('this would make go link with a different program');
  return call.argv.some(({ text }) => /^[\w.-]+\.[a-z]+\/.*@/.test(text))
    ? ADDS(call)
    : ownCode()(call);
};
const go: Judge = verbs(
  {
    ...alike(
      'build test vet fmt generate list run install tool version clean doc fix work bug help',
      goPackages,
    ),
    mod: verbs(alike('tidy download verify vendor graph why edit init', ownCode()), {
      other: ADDS,
    }),
    env: ((call) =>
      has(call, '-w', '-u') ? review('it changes the settings of go') : FINE) satisfies Judge,
    get: ADDS,
  },
  { other: asks('this go command is not known to be harmless'), valued: ['-C'] },
);

const make: Judge = (call) => {
  const override = call.argv.find(
    ({ text }) => /^(SHELL|MAKE|\.SHELLFLAGS)=/.test(text) || /^--eval/.test(text),
  );
  if (override) return review(`${override.text} would cause make to run something else`);
  const files = call.argv.filter((_, n) =>
    ['-f', '-C', '--directory', '--file', '--makefile', '-I'].includes(
      call.argv[n - 1]?.text ?? '',
    ),
  );
  const { part, at } = call;
  return strictest(
    [...files.map((file) => ruleCode(file, { folders: part.folders, at })), ownCode()(call)],
    FINE,
  );
};

/** Programs that run, build or check the repository's code. */
export const CODE_PROGRAMS: Readonly<Record<string, Judge>> = {
  git: GIT,
  npm: verbs(
    { ...packages, ...alike(NPM_KNOWN, ownCode()) },
    {
      other: asks('this npm command is not known to be harmless'),
      dangerous: NPM_DANGEROUS_OPTIONS,
      valued: ['--prefix', '-C', '-w', '--workspace', '--loglevel'],
    },
  ),
  ...alike('pnpm yarn bun', packaging(ownCode())),
  ...alike('npx bunx', ownCode()),
  node,
  ...alike(
    'tsx ts-node ts-node-esm babel-node esno jiti swc-node',
    interpreter(['-e', '-p', '--eval', '--print'], PLAIN_NODE, NODE_VALUED),
  ),
  deno: verbs(
    {
      ...alike(
        'run test fmt lint check task bench compile bundle doc info cache coverage',
        (call) => ruleScript(call, ['--config', '-c', '--import-map']),
      ),
      ...alike('eval repl', asks('it runs code from the command line')),
      ...alike('install publish deploy', ADDS),
    },
    { other: ownCode() },
  ),
  ...alike(
    'python python3 python2 pypy pypy3 python3.8 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14',
    python((name) => (Object.hasOwn(CODE_PROGRAMS, name) ? CODE_PROGRAMS[name] : undefined)),
  ),
  ...alike(
    'ruby php lua luajit Rscript julia groovy scala',
    interpreter(['-e', '-r', '-E', '--eval'], /^$/),
  ),
  elixir: interpreter(['-e', '--eval', '--rpc-eval'], /^$/, ['-r', '-pr', '-pa', '-pz', '-S']),
  perl: interpreter(['-e', '-E', '-ne', '-pe', '-i', '-pi', '-n', '-p', '-lne', '-0777'], /^$/),
  ...alike('bash sh dash zsh ksh', (call) =>
    operandsOf(call.argv, ['-o', '-c']).length > 0 && !has(call, '-c')
      ? ruleScript(call, ['-o'])
      : FINE,
  ),
  ...alike(
    'pip pip3',
    verbs(
      {
        install: installs,
        ...alike('list freeze show check debug inspect cache config help wheel hash', ownCode()),
        ...alike('download search index', ADDS),
        uninstall: ADDS,
      },
      { other: asks('this pip command is not known to be harmless') },
    ),
  ),
  ...alike(
    'poetry pipenv pdm rye hatch uv',
    verbs(
      {
        ...alike(
          'install sync lock build check show version env export run shell tree test fmt lint config clean dep status venv',
          installs,
        ),
        pip: verbs(
          {
            ...alike('install sync', installs),
            ...alike('list freeze check show compile tree', ownCode()),
          },
          { other: ADDS },
        ),
        ...alike('add remove update', ADDS),
        publish: PUBLISHES,
        tool: ADDS,
      },
      { other: ownCode() },
    ),
  ),
  ...alike('source .', (call) => ruleScript(call, [])),
  cargo,
  go,
  ...alike('make gmake ninja bmake', make),
  ...alike(
    'bundle bundler',
    verbs(
      {
        ...alike('install check exec list show outdated clean', installs),
        ...alike('add update', ADDS),
      },
      { other: ownCode(), none: installs },
    ),
  ),
  gem: verbs(
    { ...alike('build list env', ownCode()), ...alike('push owner signin yank', PUBLISHES) },
    { other: ADDS },
  ),
  composer: verbs(
    {
      ...alike(
        'install update dump-autoload validate run run-script test check check-platform-reqs show audit outdated diagnose',
        installs,
      ),
    },
    {
      other: (call) => (/require|remove|global/.test(call.name) ? ADDS(call) : ownCode()(call)),
    },
  ),
  twine: verbs({ check: ownCode() }, { other: PUBLISHES }),
  ...alike('mvn mvnw gradle gradlew', (call) =>
    call.argv.some(({ text }) =>
      /(^|:)(deploy|publish\w*|release:\w+|upload\w*|scm:\w+)$/.test(text),
    )
      ? PUBLISHES(call)
      : ownCode({ dangerous: ['--init-script', '-I', '-Dexec'] })(call),
  ),
  dotnet: verbs(
    {
      ...alike(
        'build test run restore clean format publish pack msbuild vstest sln list watch ef tool --info',
        ownCode(),
      ),
      nuget: PUBLISHES,
      add: ADDS,
    },
    { other: ownCode() },
  ),
  mix: verbs({ ...alike('hex.publish hex.user', PUBLISHES) }, { other: ownCode() }),
  flutter: verbs({ ...alike('upgrade config', ADDS) }, { other: ownCode() }),
  dart: verbs(
    {
      ...alike(
        'pub',
        verbs({ ...alike('get run deps', ownCode()), publish: PUBLISHES }, { other: ADDS }),
      ),
    },
    { other: ownCode() },
  ),
  terraform: verbs(alike('fmt validate version', ownCode()), {
    other: asks('it connects to the machines that it describes'),
  }),
  helm: verbs(alike('lint template version dependency', ownCode()), {
    other: asks('it connects to a cluster'),
  }),
  ...alike(
    'docker podman docker-compose buildah nerdctl',
    refuses('there is no container engine in the cell'),
  ),
  openssl: verbs(
    {
      ...alike(
        'version dgst rand sha256 md5 base64 x509 req genrsa genpkey rsa ec ecparam pkey',
        ownCode(),
      ),
    },
    { other: refuses('it connects to other machines, or its effect is unknown') },
  ),
  ...alike(
    'apt apt-get aptitude yum dnf apk brew snap pacman zypper conda mamba micromamba nix nix-env',
    refuses('agents may not install software on the machine: report what is missing'),
  ),
};
