import { shared, type Table, table } from '../option-table.ts';

/**
 * Tools that build, check, format and test the repository: they run its code and its configuration. Of
 * each, the options that only choose what it does; their source is the help of the tool.
 */
const COMMON =
  '--watch --no-watch --ci --color --no-color --quiet --verbose --silent --debug --version --help -v -h -w -q --check --fix --coverage --no-coverage';

const TOOLS: Readonly<Record<string, string>> = {
  eslint: `--ext= --cache --cache-strategy= --max-warnings= --report-unused-disable-directives --ignore-pattern= --no-error-on-unmatched-pattern --fix-dry-run --fix-type= -f= --format= --no-ignore
    --no-eslintrc --env= --global= --quiet --no-inline-config --rule= --stats --flag= --concurrency= read: --ignore-path= write: -o= --output-file= --cache-location= --cache-file= code: -c=
    --config= --rulesdir= --resolve-plugins-relative-to= --plugin= --parser= run: --stdin --init`,
  tsc: `--noEmit -b --build --force --clean --incremental --pretty --strict -d --declaration --emitDeclarationOnly --sourceMap --module= -m= --target= -t= --moduleResolution= --skipLibCheck
    --esModuleInterop --allowJs --checkJs --jsx= --lib= --types= --noImplicitAny --resolveJsonModule --listFiles --listEmittedFiles --diagnostics --extendedDiagnostics --noEmitOnError
    --removeComments --preserveWatchOutput --showConfig --init --isolatedModules --declarationMap --downlevelIteration --inlineSourceMap --experimentalDecorators --explainFiles
    --traceResolution --dry read: -p= --project= --baseUrl= --typeRoots= --rootDir= --rootDirs= write: --outDir= --outFile= --declarationDir= --tsBuildInfoFile= --generateTrace=
    --generateCpuProfile=`,
  mocha: `--ui= -u= -R= --reporter= --reporter-option= -O= --reporter-options= --exit --slow= -s= --timeout= -t= --bail -b --recursive --check-leaks --grep= -g= -f= --fgrep= -i --invert
    --extension= --parallel -p -j= --jobs= --retries= --full-trace --colors -c -C --forbid-only --forbid-pending --async-only -A --growl --sort -S --ignore= --exclude= --enable-source-maps
    --experimental-json-modules --no-experimental-strip-types --inspect --inspect-brk --no-timeout --no-timeouts --diff --dry-run --global= --globals= --preserve-symlinks --watch-files=
    --watch-ignore= code: -r= --require= --file= --opts= --config= --package= --spec= -n= --node-option= --import= --loader= --compilers= --spec=`,
  jest: `-i --runInBand --bail? -b --watchAll --passWithNoTests -t= --testNamePattern= --testPathPattern= --testPathPatterns= --testPathIgnorePatterns= --maxWorkers= -w= -u --updateSnapshot --ci
    --silent --no-cache --clearCache --detectOpenHandles --forceExit --collectCoverageFrom= --coverageReporters= --coverageThreshold= --testTimeout= --json --listTests --onlyChanged -o
    --findRelatedTests --selectProjects= --shard= --logHeapUsage --expand --env= --verbose --no-watchman --watchman= --errorOnDeprecated --randomize --seed= --showConfig --changedSince=
    --colors write: --coverageDirectory= --outputFile= --cacheDirectory= code: -c= --config= --rootDir= --roots= --projects= --setupFiles= --setupFilesAfterEnv= --reporters=
    --testEnvironment= --globalSetup= --globalTeardown= --preset= --resolver= --runner= --testRunner= --transform= --testSequencer=`,
  vitest: `--run -u --update -t= --testNamePattern= --reporter= --coverage.* --pool= --poolOptions.* --threads --no-threads --passWithNoTests --bail= --retry= --project= --browser --typecheck
    --environment= --globals --silent --changed? --shard= --maxWorkers= --minWorkers= --no-file-parallelism --no-isolate --isolate --testTimeout= --hideSkippedTests --logHeapUsage
    --sequence.* --ui --open --watch --dom --allowOnly --single-thread write: --outputFile* code: -c= --config= -r= --root= --dir= --workspace= run: --api* --inspect-brk* --execArgv*`,
  prettier: `--write -c -l --list-different --log-level= --loglevel= --cache --no-cache --cache-strategy= --ignore-unknown -u --no-error-on-unmatched-pattern --no-config --no-editorconfig
    --single-quote --trailing-comma= --tab-width= --print-width= --use-tabs --no-semi --parser= --prose-wrap= --end-of-line= --arrow-parens= --stdin-filepath= --with-node-modules
    --no-bracket-spacing --quote-props= --jsx-single-quote read: --ignore-path= write: --cache-location= code: --config= --plugin= --plugin-search-dir=`,
  biome: `--write --apply --apply-unsafe --unsafe --changed --since= --staged --no-errors-on-unmatched --files-ignore-unknown= --diagnostic-level= --max-diagnostics= --reporter=
    --formatter-enabled= --linter-enabled= --error-on-warnings --colors= --indent-style= --only= --skip= --verbose code: --config-path=`,
  oxlint: `-D= --deny= -A= --allow= -W= --warn= --deny-warnings --max-warnings= --quiet --type-aware --import-plugin --react-plugin -f= --format= --ignore-pattern= read: --ignore-path= --tsconfig=
    code: -c= --config=`,
  standard: `--global= --env= --ignore= --ext= code: --parser= --plugin=`,
  xo: `--space? --semicolon= --prettier --env= --global= --ignore= --extension= --reporter= --print-config code: --plugin= ask: --open --stdin`,
  stylelint: `--cache --allow-empty-input --aei --max-warnings= --formatter= -f= --quiet --ignore-pattern= read: --ignore-path= code: --config= --custom-syntax= write: -o= --output-file=
    --cache-location=`,
  ava: `-s --serial -c= --concurrency= --fail-fast -m= --match= --no-worker-threads -t --tap -T= --timeout= -u --update-snapshots --node-arguments= code: --config=`,
  tape: `--no-only --only code: -r= --require= read: -i= --ignore=`,
  tap: `-R* --reporter= -J --jobs= -j* -c -b --bail --snapshot --coverage-report= --cov --no-cov --100 --check-coverage --no-check-coverage --timeout= -t* --lines= --branches= --functions=
    --statements= --nyc-arg= -T --disable-coverage --allow-incomplete-coverage --allow-empty-coverage --show-full-coverage - code: --test-regex= --node-arg= --before= --after= --test-env=`,
  rollup: `-f= --format= -m --sourcemap? -n= --name= --silent --failAfterWarnings --environment= -e= --external= --validate write: -o= --file= -d= --dir= code: -c? --config? -p= --plugin=
    --configPlugin= run: --watch.onStart= --watch.onEnd= --watch.onBundleEnd= --watch.onError= --watch.onBundleStart=`,
  babel: `-x= --extensions= -s --source-maps? --copy-files --ignore= --only= --verbose --minified --compact= --no-comments --delete-dir-on-start --keep-file-extension --env-name= --presets=
    --plugins= --quiet --out-file-extension= write: -o= --out-file= -d= --out-dir= code: --config-file= --root-mode= -r= --require=`,
  typedoc: `--exclude= --readme= --excludePrivate --excludeInternal --treatWarningsAsErrors --name= --theme= --hideGenerator --emit= --entryPointStrategy= --json= read: --tsconfig= --entryPoints=
    write: --out= code: --options= --plugin=`,
  tsd: `-t= --typings= -f= --files= --show-diff`,
  rustc: `--edition= --crate-type= --crate-name= --emit= -O --test -L= -l= --cfg= --target= --print= -W= -D= -A= -F= --cap-lints= --explain= -C& -Z& --codegen= write: -o= --out-dir= run:
    --sysroot=`,
  'mypy pyright': `-p= --package= -m= --module= --strict --ignore-missing-imports --no-error-summary --show-error-codes --pretty --follow-imports= --no-incremental --python-version= --platform=
    --namespace-packages --explicit-package-bases --exclude= --warn-unused-ignores --disallow-untyped-defs --show-traceback --install-types --non-interactive --no-implicit-optional
    --check-untyped-defs --outputjson --level= --warnings --stats --verifytypes= --ignoreexternal write: --cache-dir= --junit-xml= --html-report= --txt-report= --xml-report=
    --cobertura-xml-report= code: --config-file= --project= run: -c= --python-executable= --pythonpath= --custom-typeshed-dir= --custom-typing-module=`,
  ruff: `--fix --unsafe-fixes --show-fixes --diff --select= --ignore= --extend-select= --extend-ignore= --exclude= --force-exclude --no-cache --output-format= --target-version= --line-length= -q
    -n -e --exit-zero --preview --statistics --show-files --add-noqa --respect-gitignore --isolated --per-file-ignores= write: -o= --output-file= --cache-dir= code: --config=`,
  'black isort flake8 pylint': `--diff -l= --line-length= -S --skip-string-normalization -t= --target-version= -q --exclude= --include= --extend-exclude= --force-exclude= --fast --safe -c --check-only -rc --recursive
    --profile= --sl --line-width= -w= --float-to-top --skip= --skip-glob= --filter-files --atomic --max-line-length= --max-complexity= --select= --ignore= --extend-ignore= --count
    --show-source --statistics --exit-zero --per-file-ignores= --disable= -d= --enable= -e= -E --errors-only -j= --jobs= -rn -r= --reports= --score= --fail-under= --output-format= -f=
    --format= --workers= --preview --unstable -W= write: --output= --output-file= code: --config= --settings-path= --settings-file= --rcfile= --append-config= run: --load-plugins=
    --init-hook= --command= --code= --tee`,
};

/** Code generation options of rustc that name a program or a file. */
const LINKS =
  /^(linker|link-args?|pre-link|post-link|ar|dlltool|save-temps|profile-|codegen-backend|plugin|incremental|remark)/;

/** Tools of the repository whose options are not listed. */
const OTHERS = `jshint istanbul rolldown pretty-quick node-gyp node-gyp-build prebuildify gts tap-spec faucet semistandard snazzy pyflakes nosetests pybabel tsup tsdown vue-tsc svelte-check svelte-package ngc ng nx turbo lerna rush
  wireit tslint rome markdownlint markdownlint-cli2 remark alex textlint cspell commitlint karma jasmine cypress playwright wdio testcafe nightwatch uvu borp tstyche web-test-runner wtr webpack webpack-cli vite esbuild swc parcel snowpack microbundle bili
  unbuild pkgroll rslib rspack rsbuild gulp grunt next nuxt nuxi astro gatsby remix vue-cli-service react-scripts craco expo ember ionic storybook start-storybook build-storybook docusaurus vuepress vitepress jsdoc documentation api-extractor
  publint attw size-limit bundlesize bundlewatch depcheck knip madge dpdm syncpack manypkg npm-run-all npm-run-all2 run-s run-p npm-check-updates ncu lint-staged husky is-ci patch-package postinstall-postinstall sort-package-json
  npm-package-json-lint tsc-alias tsc-watch tscpaths ts-jest tailwindcss postcss sass lessc svgo imagemin prisma drizzle-kit typeorm sequelize knex graphql-codegen openapi-typescript json2ts protoc buf thrift flatc quicktype licensee
  license-checker changeset auto-changelog conventional-changelog standard-version tsconfig-replace-paths dprint oxfmt taplo uglifyjs terser browserify nps ls-lint http-server serve live-server tox nox basedpyright pytype pyre pycodestyle
  pydocstyle pyupgrade autoflake bandit safety vulture interrogate codespell djlint djhtml yamllint pre-commit unittest build venv virtualenv compileall py_compile json.tool sphinx-build sphinx-apidoc sphinx-autobuild mkdocs pdoc towncrier cython
  cythonize maturin meson ctest cpack scons bazel bazelisk buck2 pants nbstripout alembic pip-compile pip-sync pip-audit check-manifest check-wheel-contents pyproject-build validate-pyproject licensecheck deptry import-linter lint-imports
  slipcover rustfmt clippy-driver cross wasm-pack trunk mdbook just xtask cbindgen grcov gofmt goimports gofumpt golint golangci-lint staticcheck govulncheck ginkgo mockgen stringer errcheck revive gosec swag sqlc wire benchstat gocyclo misspell
  gci clang-format clang-tidy cppcheck ar ranlib strip autoconf automake autoreconf aclocal libtoolize configure pkg-config gcov lcov genhtml gprof doxygen include-what-you-use qmake flex bison yacc lex nasm javac jar javadoc kotlinc ktlint detekt
  scalac sbt ant checkstyle spotless google-java-format rspec rubocop minitest cucumber jekyll brakeman standardrb sorbet srb steep haml-lint reek yard rdoc appraisal guard phpunit phpstan phpcs phpcbf psalm pest php-cs-fixer rector phan
  infection parallel-lint box elixirc rebar3 erlc dialyzer gleam stack cabal hlint ormolu fourmolu dune ocamlformat swiftc swiftlint swiftformat xcodebuild zig nimble shards shfmt bats shunit2 checkbashisms asciidoctor bibtex vale proselint
  plantuml dot sqlfluff ansible-lint tflint conftest opa kubeconform kubeval hugo zola eleventy gitlint typos reuse mdformat linkcheck cffconvert sbom msbuild csc fantomas paket stylua luacheck selene busted bindgen tree-sitter antlr4
  stylish-haskell purs spago elm elm-test elm-format elm-review rescript bsc reason refmt rake rails manage.py django-admin flask gunicorn uvicorn celery scrapy jupyter papermill invoke doit lein clojure clj boot iex erl ghc opam swift nim crystal
  fastlane pod R latexmk pdflatex xelatex lualatex pandoc m4 erb artisan air ko goreleaser gotestsum bear valgrind cake start-server-and-test wait-on del`;

/** Tools that check, format and test the repository. */
export const REPOSITORY_TOOLS: Readonly<Record<string, Table>> = {
  ...shared(table('the --help of each', 'own', { syntax: 'words' })`${COMMON}`)`${OTHERS}`,
  ...Object.assign(
    {},
    ...Object.entries(TOOLS).map(([names, options]) => {
      const risky = names === 'rustc' ? { risky: LINKS } : {};
      return shared(
        table('the --help of each', 'own', { syntax: 'words', ...risky })`${COMMON} ${options}`,
      )`${names}`;
    }),
  ),
};
