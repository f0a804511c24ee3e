import { checkInstall, checkSettings } from '../checks/packages.ts';
import { asks, denies, shared, type Table, table } from '../option-table.ts';

const NPM = 'npm 10: npm help config';
const ADDS: Table = asks(NPM, 'it adds a package that is not in the lock file');
const PUBLISHES: Table = denies(NPM, "it publishes under the project's name");
const QUERIES: Table = asks(NPM, 'it queries the registry for a name that the agent chose');
const OWN: Table = table(NPM, 'own')``;
const INSTALLS: Table = table(NPM, 'own', { check: checkInstall })``;
/** What it runs is read as a command of its own, and has its own options. */
const EXECUTES: Table = table(NPM, 'own', { syntax: 'posix' })``;
/** A script of the repository, and the options that are passed to it. */
const RUNS_SCRIPT: Table = table(NPM, 'own', { syntax: 'nopt_leading' })``;

const VERBS: Readonly<Record<string, Table>> = {
  ...shared(INSTALLS)`
    ci install i in ins inst insta instal isnt isnta isntal isntall install-test it install-clean ic clean-install install-ci-test cit clean-install-test sit rebuild rb update up upgrade
    udpate`,
  ...shared(ADDS)`add remove uninstall un rm r unlink`,
  ...shared(PUBLISHES)`
    publish unpublish deprecate undeprecate login logout adduser add-user token owner author access dist-tag dist-tags whoami hook team org ogr profile star stars unstar`,
  ...shared(QUERIES)`view v info search s se find show create init innit dlx trust`,
  ...shared(OWN)`exec x`,
  ...shared({ ...OWN, check: checkSettings })`config c`,
  ...shared(asks(NPM, 'it changes settings or runs another program'))`set explore edit`,
  ...shared(OWN)`
    test t tst run run-script rum urn start stop restart ls list ll la outdated audit pack version verison prune dedupe ddp find-dupes link ln pkg cache explain why root bin prefix help
    help-search hlep fund doctor completion diff ping query repo bugs issues docs home get shrinkwrap sbom`,
};

const NPM_OPTIONS =
  `-s --silent -q --quiet -d -dd -ddd --verbose --loglevel= -f --force -D --save-dev -P --save-prod -S --save -E --save-exact -O --save-optional -B --save-bundle -N --no-save -y --yes -n
    --no -p --parseable -l --long -a --all -h -H -v --if-present --ignore-scripts --foreground-scripts --legacy-peer-deps --strict-peer-deps --prefer-offline --prefer-online --offline
    --audit --fund --color? --progress --production --only= --omit= --include= --workspaces --ws -iwr --include-workspace-root --json --depth= --dry-run --package-lock --package-lock-only
    --lockfile-version= --tag= --access= --message= -m= --git-tag-version --commit-hooks --preid= --audit-level= --install-links --install-strategy= --engine-strict --timing --unicode
    --update-notifier --bin-links --rebuild-bundle --scope= --maxsockets= --fetch-timeout= --fetch-retries= --sign-git-tag --allow-same-version --heading= --expect-results --package=
    --shell-auto-fallback --location= --legacy-bundling --save-prefix= --tag-version-prefix= --before= --cpu= --os= --libc= --otp= --searchlimit= --usage --unsafe-perm folder: -C= --prefix=
    code: -w= --workspace= write: --cache= --pack-destination= --logs-dir= run: --script-shell= --shell= --node-options= --git= --editor= --viewer= --browser= --userconfig= --globalconfig=
    --init-module= ask: -g --global --local-prefix= --registry= --reg= --replace-registry-host= --proxy= --https-proxy= --noproxy= --cafile= --ca= --key= --cert= --strict-ssl` as const;

const NPM_TABLE: Table = {
  source: NPM,
  syntax: 'nopt',
  options: `${NPM_OPTIONS} plain: -c= --call=`,
  inherits: true,
  abbreviatesVerbs: true,
  verbs: VERBS,
  none: { source: NPM },
};

/** pnpm, yarn and bun run scripts by name, and a call without a verb installs. */
const SIMILAR: Table = {
  ...NPM_TABLE,
  source: 'pnpm 9, yarn 1 to 4 and bun: help of each',
  options: `${NPM_OPTIONS} plain: -r --recursive --frozen-lockfile --immutable --no-frozen-lockfile --filter= -F= --parallel --stream --aggregate-output --no-bail --sequential --sort --reporter=
    --non-interactive --ignore-engines --ignore-optional --pure-lockfile --check-files --network-timeout= --network-concurrency= --mutex= --mode= --inline-builds --shamefully-hoist --hoist
    --workspace-concurrency= --resume-from= --if-present --bun --watch --hot --smol --coverage -t= --test-name-pattern= --bail? --timeout= --target= --minify --sourcemap? --focus
    --interlaced --jobs= -j= -A --exclude= --from= --since? --topological -i -pi --immutable-cache --check-cache -w folder: --dir= --cwd= write: --modules-folder= --cache-folder= --outfile=
    --outdir= script: -e= --eval=`,
  verbs: {
    ...VERBS,
    ...shared(RUNS_SCRIPT)`run run-script test t start exec workspace workspaces foreach`,
    ...shared(QUERIES)`import licenses patch fetch store setup env self-update`,
  },
  none: INSTALLS,
  other: RUNS_SCRIPT,
};

const PIP_OPTIONS =
  `-q --quiet -v --verbose -U --upgrade --upgrade-strategy= --user --no-deps --pre --no-cache-dir --no-build-isolation --use-pep517 --no-binary= --only-binary= --prefer-binary
    --require-hashes --no-input --disable-pip-version-check --break-system-packages -I --ignore-installed --force-reinstall --no-index --progress-bar= --no-warn-script-location --dry-run
    --no-color --timeout= --retries= --format= -l --local --outdated -o --exclude= --all --python= -y --yes --config-settings= -C= --use-feature= --root-user-action= --isolated --no-compile
    --compile -e= --editable= read: -r= --requirement= -c= --constraint= -f= --find-links= write: -t= --target= -d= --dest= -w= --wheel-dir= --prefix= --root= --src= --cache-dir= --log=
    --report= -b= --build= ask: -i= --index-url= --extra-index-url= --trusted-host= --proxy= --cert= --client-cert= --global-option= --install-option=` as const;
const PIP_VERBS: Readonly<Record<string, Table>> = {
  install: INSTALLS,
  ...shared(OWN)`
    list freeze show check debug inspect cache config help wheel hash sync compile tree`,
  ...shared(ADDS)`download search index uninstall`,
};
const PIP: Table = table('pip 24: pip help', '', {
  inherits: true,
  verbs: PIP_VERBS,
})`${PIP_OPTIONS}`;

const PYTHON_PROJECT: Table = table('poetry, pipenv, pdm, rye, hatch and uv: help of each', '', {
  inherits: true,
  verbs: {
    ...shared(INSTALLS)`
    install sync lock build check show version env export tree test fmt lint config clean dep status venv shell`,
    run: EXECUTES,
    pip: table('uv help pip', '', { inherits: true, verbs: PIP_VERBS })`${PIP_OPTIONS}`,
    ...shared(ADDS)`add remove update upgrade tool self init new`,
    publish: PUBLISHES,
  },
  other: OWN,
})`-q --quiet -v -vv -vvv --verbose -n --no-interaction --no-ansi --no-cache --no-plugins --no-root --sync --with= --without= --only= --extras= -E= --all-extras --extra= --group= -G=
    --all-groups --no-dev --dev -d --only-dev --only-root --frozen --locked --no-sync --no-lock --check --dry-run -j= --jobs= --no-editable --no-build-isolation --offline --refresh
    --upgrade -U --python= -p= --format= -f= --tree -T --latest --all --no-self --prod --production --deploy --system --ignore-pipfile --skip-lock --keep-outdated -e= --editable= --package=
    --all-packages --isolated --no-project --resolution= --universal --no-deps --seed -o= --clean -t= --target= --sdist --wheel --no-isolation --update-reuse -L= --short -s folder: -C=
    --directory= --project= --cwd= read: -r= --requirement= -c= --constraint= --env-file= write: --output= --output-file= --out-dir= --cache-dir= ask: --index-url= -i= --extra-index-url=
    --index= --default-index= --source= --pypi-mirror= --config-file= --with-editable=`;

/** Package managers. */
export const PACKAGES: Readonly<Record<string, Table>> = {
  npm: NPM_TABLE,
  ...shared(SIMILAR)`pnpm yarn bun`,
  ...shared({ ...EXECUTES, syntax: 'unknown' })`npx bunx pnpx`,
  ...shared(PIP)`pip pip3`,
  ...shared(PYTHON_PROJECT)`poetry pipenv pdm rye hatch uv`,
  ...shared(table('bundler 2: bundle help', '', {
    inherits: true,
    verbs: {
      ...shared(INSTALLS)`install check exec list show outdated clean`,
      exec: EXECUTES,
      ...shared(ADDS)`add update remove`,
      ...shared(OWN)`config info platform`,
    },
    none: INSTALLS,
  })`--jobs= -j= --retry= --quiet --local --frozen --deployment --without= --with= --full-index --no-color --verbose --all --dry-run --force --version write: --path= --binstubs?
    --standalone? read: --gemfile=`)`bundle bundler`,
  gem: {
    source: 'gem help',
    verbs: {
      ...shared({
        ...OWN,
        options: `-q --quiet --local --strict -V`,
      })`build list env environment`,
      ...shared(PUBLISHES)`push owner signin yank`,
    },
    other: ADDS,
  },
  composer: table('composer 2: composer list', '', {
    inherits: true,
    verbs: {
      ...shared(INSTALLS)`
    install update dump-autoload dumpautoload validate run run-script test check check-platform-reqs show audit outdated diagnose`,
      ...shared(ADDS)`require remove global create-project`,
      exec: asks('composer 2', 'it runs another program'),
    },
    other: OWN,
  })`-n --no-interaction -q --quiet -v -vv -vvv --no-progress --no-dev --prefer-dist --prefer-source --no-scripts --no-plugins -o --optimize-autoloader --ansi --no-ansi --dry-run
    --ignore-platform-reqs --ignore-platform-req= --strict --no-check-all --no-check-publish --locked --format= --profile -a --timeout= folder: -d= --working-dir=`,
  twine: {
    source: 'twine --help',
    verbs: { check: { ...OWN, options: `--strict` } },
    other: PUBLISHES,
  },
  cargo: table('The Cargo Book', '', {
    inherits: true,
    verbs: {
      ...shared(OWN)`
    build b check c test t clippy fmt doc d run r bench clean tree metadata nextest expand fix fetch update generate-lockfile locate-project pkgid verify-project vendor audit deny outdated
    udeps llvm-cov tarpaulin miri hack insta make xtask machete sort semver-checks package version rustc rustdoc hakari component ndk wasi workspaces kani dist msrv criterion about
    set-version readme fuzz component-model read-manifest`,
      ...shared(PUBLISHES)`publish login logout owner yank`,
      install: {
        ...OWN,
        check: ({ given }) =>
          given.some(({ word }) => word === '--path')
            ? []
            : [{ verdict: 'review', because: 'it adds a package that is not in the lock file' }],
      },
      ...shared(ADDS)`add remove rm init new search uninstall`,
    },
  })`-q --quiet -v -vv --verbose --color= --frozen --locked --offline -p= --package= --workspace --all --exclude= --lib --bin= --bins --example= --examples --test= --tests --bench= --benches
    --all-targets -F= --features= --all-features --no-default-features -r --release --profile= -j= --jobs= --keep-going --target= --message-format= --no-run --no-fail-fast --doc
    --ignore-rust-version --timings? --fix --allow-dirty --allow-staged --check --open --no-deps --document-private-items -e= --edges= -i= --invert= --depth= --prefix= -d --duplicates
    --format-version= --dry-run --list --no-verify -n --aggressive --precise= --edition --broken-code -E= -P= --partition= --nocapture --build-jobs= --html --lcov --json --text
    --ignore-filename-regex= --fail-under-lines= --feature-powerset --each-feature --optional-deps --no-dev-deps --depth= --review --accept --deny= -D= --ignore= --skip= -Z= --no-report
    --out= --cfg read: --manifest-path= --lockfile-path= write: --target-dir= --output-path= --output-dir= --artifact-dir= --out-dir= folder: -C= run: --config= --explain= code: --path=`,
  ...shared(table('dotnet --help', '', {
    syntax: 'words',
    inherits: true,
    verbs: {
      ...shared(OWN)`
    build test run restore clean format publish pack msbuild vstest sln list watch ef`,
      nuget: PUBLISHES,
      ...shared(ADDS)`add tool new`,
    },
  })`-c= --configuration= -f= --framework= -r= --runtime= --no-restore --no-build --nologo -v= --verbosity= --filter= --collect= --logger= -l= --self-contained -p:* /p:* --info --list-sdks
    --verify-no-changes --interactive --no-incremental read: --project= -s= --settings= write: -o= --output= --results-directory= ask: --source= --additionalprobingpath=`)`dotnet`,
  mix: table('mix help', '', {
    syntax: 'words',
    inherits: true,
    verbs: {
      ...shared(PUBLISHES)`hex.publish hex.user`,
      ...shared(asks('mix help', 'it runs code from the command line'))`run eval cmd do`,
      ...shared(OWN)`
    test compile format deps.get deps.compile credo dialyzer docs ecto.create ecto.migrate clean deps`,
    },
  })`--only= --force --warnings-as-errors --check-formatted --trace --cover --stale --failed --seed= --max-failures= --no-start --no-compile --no-deps-check --strict --all`,
  flutter: {
    source: 'flutter help',
    verbs: {
      ...shared(ADDS)`upgrade config`,
      ...shared({
        ...OWN,
        syntax: 'unknown',
      })`
    analyze test build pub doctor clean gen-l10n format`,
    },
  },
  dart: {
    source: 'dart help',
    verbs: {
      pub: {
        source: 'dart help pub',
        verbs: { ...shared(OWN)`get run deps`, publish: PUBLISHES },
        other: ADDS,
      },
      ...shared({ ...OWN, syntax: 'unknown' })`analyze test format fix compile doc run`,
    },
  },
};
