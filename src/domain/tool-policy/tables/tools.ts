import { named, type Table, table } from '../option-table.ts';

/**
 * Tools that build, check, format and test the repository: they run its code and its configuration, so
 * only what an option writes, runs or loads matters. They spell such options alike; one that means less
 * to one of them is only judged too strictly. Sources: the --help of each.
 */
const TOOL: Table = table('the --help of each', 'own', { syntax: 'words' })`
  --watch --ci --color --no-color --quiet -q --verbose -v --silent -s --debug -h -w -b -i -u -t= -l -e -m -R= -j=
  -x -S -T --check --fix --write --diff --coverage --cache --no-cache --ext= --extension= --max-warnings= --ignore=
  --ignore-pattern= --exclude= --include= --only= --skip= --select= --format= --output-format= --list-different
  --log-level= --noEmit --build --force --clean --incremental --pretty --strict --declaration --module= --target=
  --skipLibCheck --esModuleInterop --lib= --ui= --exit --timeout= --bail? --recursive --check-leaks --grep= --parallel
  --jobs= --dry-run --runInBand --passWithNoTests --testNamePattern= --maxWorkers= --updateSnapshot --update
  --detectOpenHandles --forceExit --json --listTests --onlyChanged --shard= --run --typecheck --changed? --coverage.*
  --environment= --env= --global= --unsafe --staged --serial --fail-fast --match= --check-coverage --cov --no-cov
  --100 --lines= --branches= --functions= --snapshot --reporter= --coverage-report= -J --external= --extensions=
  --ignore-missing-imports --python-version= --install-types --non-interactive --line-length= --profile=
  --unsafe-fixes --statistics --count --exit-zero --show-source --max-line-length= --check-only --disable= --enable=
  --fail-under= -A= -D= -W= -E -rc --report-unused-disable-directives --workspace --all read: --ignore-path=
  --project= --tsconfig= --baseUrl= --rootDir= --entryPoints= write: -o= -d= --out= --output= --output-file=
  --outfile= --outdir= --out-file= --out-dir= --outDir= --outFile= --outputFile* --file= --dir= --declarationDir=
  --tsBuildInfoFile= --generateTrace= --generateCpuProfile= --cache-location= --cache-file= --cache-dir=
  --cacheDirectory= --coverageDirectory= --junit-xml= --html-report= --txt-report= --xml-report=
  --cobertura-xml-report= code: -c= -n= -r= -p= -f= -O= --config= --config-file= --config-path= --configPlugin=
  --settings-file= --settings-path= --rcfile= --append-config= --options= --opts= --plugin= --plugins= --presets=
  --plugin-search-dir= --parser= --custom-syntax= --rulesdir= --resolve-plugins-relative-to= --formatter= --require=
  --import= --loader= --spec= --root= --roots= --projects= --setupFiles= --setupFilesAfterEnv= --reporters=
  --testEnvironment= --globalSetup= --globalTeardown= --preset= --resolver= --runner= --testRunner= --transform=
  --testSequencer= --node-option= --node-arg= --node-arguments= --compilers= --before= --after= --root-mode= run:
  --stdin --init --exec= --command= --code= --init-hook= --load-plugins= --tee --execArgv* --api*
  --watch.on* --python-executable= --pythonpath= --custom-typeshed-dir= --custom-typing-module= --open`;

/** Code generation options of rustc that name a program or a file. */
const LINKS =
  /^(linker|link-args?|pre-link|post-link|ar|dlltool|save-temps|profile-|codegen-backend|plugin|incremental|remark)/;

export const TOOLS: Readonly<Record<string, Table>> = {
  ...named(
    `eslint tsc vue-tsc mocha _mocha jest vitest prettier biome oxlint standard xo stylelint ava tape
    tap rollup rolldown babel typedoc tsd mypy pyright ruff black isort flake8 pylint jshint istanbul
    tsup tsdown svelte-check ng nx turbo lerna tslint markdownlint markdownlint-cli2 remark cspell
    commitlint karma jasmine cypress playwright uvu borp webpack vite esbuild swc parcel microbundle
    gulp grunt next nuxt astro react-scripts storybook jsdoc documentation api-extractor publint attw
    size-limit knip madge npm-run-all run-s run-p lint-staged husky patch-package tsc-alias postcss
    tailwindcss sass svgo prisma typeorm graphql-codegen changeset uglifyjs terser browserify
    node-gyp semistandard dpdm depcheck tox nox pycodestyle pydocstyle bandit codespell yamllint
    pre-commit unittest build venv virtualenv compileall json.tool nosetests pyflakes sphinx-build
    mkdocs cython meson ctest bazel pybabel pip-compile check-manifest rustfmt mdbook just gofmt
    goimports golint golangci-lint staticcheck misspell clang-format clang-tidy autoconf automake
    autoreconf configure pkg-config doxygen javac jar rspec rubocop rake rails phpunit phpstan phpcs
    php-cs-fixer psalm rebar3 elixirc erlc dialyzer stack cabal swift swiftlint zig shfmt bats hugo
    django-admin flask flow tslint valgrind`,
    TOOL,
  ),
  rustc: table('rustc --help', 'own', { syntax: 'words', risky: LINKS })`
    -O -g --test -L= -l= --target= -W= -D= -A= -C& -Z& write: -o= --out-dir= run: --sysroot=`,
};
