import { checkCargoInstall, checkInstall, checkSettings } from '../checks/packages.ts';
import { asks, denies, named, type Table, table } from '../option-table.ts';

const NPM = 'npm 10: npm help config';
const ADDS: Table = asks(NPM, 'it adds a package that is not in the lock file');
const PUBLISHES: Table = denies(NPM, "it publishes under the project's name");
const QUERIES: Table = asks(NPM, 'it queries the registry for a name that the agent chose');
const OWN: Table = table(NPM, 'own')``;
const INSTALLS: Table = { ...OWN, check: checkInstall };
const SETTINGS: Table = { ...OWN, check: checkSettings };
/** What it runs is read as a command of its own, and has its own options. */
const EXECUTES: Table = { ...OWN, syntax: 'posix' };
/** A script of the repository, and the options that are passed to it. */
const RUNS_SCRIPT: Table = { ...OWN, syntax: 'nopt_leading' };

const VERBS: Readonly<Record<string, Table>> = {
  ...named(
    `ci install i in ins inst insta instal isnt isnta isntal isntall install-test it install-clean ic
    clean-install install-ci-test cit clean-install-test sit rebuild rb update up upgrade udpate`,
    INSTALLS,
  ),
  ...named('add remove uninstall un rm r unlink', ADDS),
  ...named(
    `publish unpublish deprecate undeprecate login logout adduser add-user token owner author access
    dist-tag dist-tags whoami hook team org ogr profile star stars unstar`,
    PUBLISHES,
  ),
  ...named('view v info search s se find show create init innit dlx trust', QUERIES),
  ...named('config c', SETTINGS),
  ...named('set explore edit', asks(NPM, 'it changes settings or runs another program')),
  ...named(
    `exec x test t tst run run-script rum urn start stop restart ls list ll la outdated audit pack
    version verison prune dedupe ddp find-dupes link ln pkg cache explain why root bin prefix help
    help-search hlep fund doctor completion diff ping query repo bugs issues docs home get shrinkwrap
    sbom`,
    OWN,
  ),
};

const NPM_OPTIONS = `-s --silent -q --quiet -d --verbose --loglevel= -f --force -D --save-dev -P --save-prod -S --save
  -E --save-exact -O -y --yes -n --no -p -l --long -a --all -h -v --if-present --ignore-scripts --legacy-peer-deps
  --prefer-offline --offline --audit --fund --color? --progress --production --only= --omit= --include= --workspaces
  --ws --json --depth= --dry-run --package-lock --package-lock-only --tag= --message= -m= --git-tag-version
  --audit-level= --scope= --package= --coverage folder: -C= --prefix= code: -w= --workspace= write: --cache=
  --pack-destination= --logs-dir= run: --script-shell= --shell= --node-options= --git= --editor= --viewer= --browser=
  --userconfig= --globalconfig= --init-module= ask: -g --global --local-prefix= --registry= --reg=
  --replace-registry-host= --proxy= --https-proxy= --noproxy= --cafile= --ca= --key= --cert= --strict-ssl plain:`;

const NPM_TABLE: Table = {
  source: NPM,
  syntax: 'nopt',
  options: `${NPM_OPTIONS} -c= --call=`,
  inherits: true,
  abbreviatesVerbs: true,
  verbs: VERBS,
  none: { source: NPM },
};

/** pnpm, yarn and bun run scripts by name, and a call without a verb installs. */
const SIMILAR: Table = {
  ...NPM_TABLE,
  source: 'pnpm 9, yarn 1 to 4 and bun: help of each',
  options: `${NPM_OPTIONS} -r --recursive --frozen-lockfile --immutable --filter= -F= --parallel --stream --bail?
    --sequential --sort --reporter= --non-interactive --bun --watch --coverage -t= --timeout= --target= --jobs= -j= -A
    --exclude= --since? -i -w folder: --dir= --cwd= write: --modules-folder= --cache-folder= --outfile= --outdir=
    script: -e= --eval=`,
  verbs: {
    ...VERBS,
    ...named('run run-script test t start exec workspace workspaces foreach', RUNS_SCRIPT),
    ...named('import licenses patch fetch store setup env self-update', QUERIES),
  },
  none: INSTALLS,
  other: RUNS_SCRIPT,
};

const PIP: Table = {
  source: 'pip 24: pip help; uv help pip',
  options: `-q --quiet -v --verbose -U --upgrade --user --no-deps --pre --no-cache-dir --no-build-isolation
    --require-hashes --no-input --disable-pip-version-check --break-system-packages -I --no-index --dry-run --no-color
    --timeout= --format= -l --local --outdated -o --all -y --yes -C= -e= --editable= read: -r= --requirement= -c=
    --constraint= -f= --find-links= write: -t= --target= -d= --dest= -w= --wheel-dir= --prefix= --root= --src=
    --cache-dir= --log= --report= -b= --build= ask: -i= --index-url= --extra-index-url= --trusted-host= --proxy=
    --cert= --client-cert= --global-option= --install-option= --python=`,
  inherits: true,
  verbs: {
    ...named('install wheel', INSTALLS),
    config: SETTINGS,
    ...named('list freeze show check debug inspect cache help hash sync compile tree', OWN),
    ...named('download search index uninstall', ADDS),
  },
};

const PYTHON_PROJECT: Table = {
  source: 'poetry, pipenv, pdm, rye, hatch and uv: help of each',
  options: `-q --quiet -v --verbose -n --no-interaction --no-ansi --no-cache --no-root --sync --with= --without=
    --only= --extras= -E= --all-extras --extra= --group= -G= --no-dev --dev -d --frozen --locked --no-sync --check
    --dry-run -j= --offline --upgrade -U --python= -p= --format= -f= --all --production -e= --editable= --package= -o=
    --clean -t= -s folder: -C= --directory= --project= --cwd= read: -r= --requirement= -c= --constraint= --env-file=
    write: --output= --output-file= --out-dir= --cache-dir= ask: --index-url= -i= --extra-index-url= --index=
    --default-index= --source= --pypi-mirror= --config-file= --with-editable=`,
  inherits: true,
  verbs: {
    ...named(
      `install sync lock build check show version env export tree test fmt lint config clean dep
      status venv shell`,
      INSTALLS,
    ),
    run: { ...EXECUTES, options: 'ask: --with= --with-requirements= --with-editable=' },
    pip: PIP,
    ...named('add remove update upgrade tool self init new', ADDS),
    publish: PUBLISHES,
  },
  other: OWN,
};

/** Package managers of other languages: few of their options matter, and they name their verbs alike. */
const OTHER: Table = {
  source: 'bundler 2, RubyGems, Composer 2, .NET, Mix, Flutter, Dart and Deno 2: help of each',
  syntax: 'words',
  options: `-q --quiet -v -n -j= --jobs= --retry= --local --frozen --deployment --without= --with= --verbose --all
    --dry-run --force --no-interaction --no-progress --no-dev --prefer-dist --prefer-stable --no-scripts --strict
    --optimize-autoloader --ignore-platform-reqs --no-restore --no-build --configuration= --framework= --nologo
    --filter= --only= --warnings-as-errors --check-formatted --no-document -A --allow-all --allow-read? --allow-env?
    folder: -d= --working-dir= read: --gemfile= --project= -s= --settings= write: -o= --output= --path= --binstubs?
    --standalone? --results-directory= --coverage? --junit-path= code: -c= --config= --import-map= run: --allow-run?
    --allow-ffi? --ext= --preload= --v8-flags* ask: --source= --additionalprobingpath=`,
  inherits: true,
  verbs: {
    ...named('install update check list show outdated clean restore', INSTALLS),
    exec: EXECUTES,
    pub: { ...OWN, verbs: { ...named('get run deps', OWN), publish: PUBLISHES }, other: ADDS },
    ...named('push owner signin yank nuget hex.publish hex.user', PUBLISHES),
    ...named('add remove require global create-project tool new upgrade deploy create', ADDS),
    ...named('eval repl cmd do', asks('help of each', 'it runs code from the command line')),
    config: SETTINGS,
  },
  none: INSTALLS,
  other: OWN,
};

const CARGO: Table = {
  source: 'The Cargo Book',
  options: `-q --quiet -v --verbose --color= --frozen --locked --offline -p= --package= --workspace --all --exclude=
    --lib --bin= --bins --example= --examples --test= --tests --bench= --benches --all-targets -F= --features=
    --all-features --no-default-features -r --release --profile= -j= --jobs= --keep-going --target= --message-format=
    --no-run --no-fail-fast --doc --timings? --fix --allow-dirty --allow-staged --check --open --no-deps
    --document-private-items -i= --invert= --depth= -d --dry-run --list --nocapture --each-feature --ignore= --skip=
    -Z= read: --lockfile-path= write: --target-dir= --output-path= --output-dir= --artifact-dir= --out-dir= folder:
    -C= run: --config= --explain= code: --path= --manifest-path=`,
  inherits: true,
  verbs: {
    ...named(
      `build b check c test t clippy fmt doc d run r bench clean tree metadata nextest expand fix
      fetch update generate-lockfile locate-project pkgid vendor audit deny outdated udeps llvm-cov
      tarpaulin miri hack insta make xtask machete semver-checks package version rustc rustdoc fuzz`,
      OWN,
    ),
    ...named('publish login logout owner yank', PUBLISHES),
    install: { ...OWN, check: checkCargoInstall },
    ...named('add remove rm init new search uninstall', ADDS),
  },
};

/** Package managers. */
export const PACKAGES: Readonly<Record<string, Table>> = {
  npm: NPM_TABLE,
  ...named('pnpm yarn bun', SIMILAR),
  ...named('npx bunx pnpx', { ...OWN, syntax: 'unknown' }),
  ...named('uvx pipx', ADDS),
  ...named('pip pip3', PIP),
  ...named('poetry pipenv pdm rye hatch uv', PYTHON_PROJECT),
  ...named('composer dotnet flutter dart', OTHER),
  ...named('bundle bundler', { ...OTHER, verbs: { ...OTHER.verbs, update: ADDS, config: OWN } }),
  gem: { ...OTHER, verbs: { ...OTHER.verbs, ...named('install update', ADDS) } },
  mix: { ...OTHER, verbs: { ...OTHER.verbs, run: asks('mix help', 'it runs code') } },
  deno: {
    ...OTHER,
    verbs: {
      ...OTHER.verbs,
      ...named('install publish', ADDS),
      ...named(
        'run test bench compile',
        table('deno 2 --help', 'code own', { syntax: 'leading' })``,
      ),
    },
  },
  twine: { source: 'twine --help', verbs: { check: OWN }, other: PUBLISHES },
  cargo: CARGO,
};
