import { CODE_PROGRAMS } from './code-programs.ts';
import { FILE_PROGRAMS } from './files.ts';
import { alike, asks, type Judge, ownCode, refuses } from './program-judges.ts';

const NETWORK = refuses(
  'it connects to other machines, and agents have no network access: report what you need',
);

/** Tools that build, check, format and test the repository. */
const TOOLS = `jshint istanbul rolldown pretty-quick node-gyp node-gyp-build prebuildify gts tap-spec faucet semistandard snazzy
  pyflakes nosetests doctest  pybabel tsc tsup tsdown tsd vue-tsc svelte-check svelte-package ngc ng nx turbo lerna rush wireit eslint tslint standard xo oxlint
  biome rome prettier stylelint markdownlint markdownlint-cli2 remark alex textlint cspell commitlint jest vitest mocha ava tap tape c8 nyc
  karma jasmine cypress playwright wdio testcafe nightwatch uvu borp tstyche web-test-runner wtr webpack webpack-cli rollup vite esbuild swc
  parcel snowpack microbundle bili unbuild pkgroll rslib rspack rsbuild gulp grunt babel next nuxt nuxi astro gatsby remix vue-cli-service
  react-scripts craco expo ember ionic storybook start-storybook build-storybook docusaurus vuepress vitepress typedoc jsdoc
  documentation api-extractor publint attw size-limit bundlesize bundlewatch depcheck knip madge dpdm syncpack manypkg npm-run-all npm-run-all2 run-s
  run-p npm-check-updates ncu lint-staged husky is-ci patch-package postinstall-postinstall sort-package-json npm-package-json-lint
  concurrently nodemon cross-env cross-env-shell dotenv env-cmd wait-on start-server-and-test ts-jest tsc-alias tsc-watch tscpaths
  tailwindcss postcss sass lessc svgo imagemin prisma drizzle-kit typeorm sequelize knex graphql-codegen openapi-typescript json2ts
  protoc buf thrift flatc quicktype licensee license-checker changeset auto-changelog conventional-changelog standard-version tsconfig-replace-paths
  ava xo zx dprint oxfmt taplo uglifyjs terser browserify nps ls-lint del http-server serve live-server
  pytest py.test tox nox mypy pyright basedpyright pytype pyre ruff black isort flake8 pylint pycodestyle pydocstyle pyupgrade autoflake bandit safety
  vulture interrogate codespell djlint djhtml yamllint pre-commit coverage unittest build venv virtualenv compileall py_compile json.tool cProfile
  sphinx-build sphinx-apidoc sphinx-autobuild mkdocs pdoc towncrier cython cythonize maturin meson cmake ctest cpack scons bazel bazelisk buck2 pants
  invoke doit nbstripout jupyter papermill alembic manage.py django-admin flask gunicorn uvicorn celery scrapy pip-compile pip-sync
  pip-audit check-manifest check-wheel-contents pyproject-build validate-pyproject licensecheck deptry import-linter lint-imports slipcover
  rustc rustfmt clippy-driver cross wasm-pack trunk mdbook just xtask cbindgen grcov
  gofmt goimports gofumpt golint golangci-lint staticcheck govulncheck gotestsum ginkgo mockgen stringer goreleaser errcheck
  revive gosec swag sqlc wire ko air buf benchstat gocyclo misspell gci
  gcc g++ cc c++ clang clang++ clang-format clang-tidy cppcheck ld ar ranlib strip as autoconf automake autoreconf aclocal libtoolize
  configure pkg-config valgrind gcov lcov genhtml gprof doxygen bear include-what-you-use qmake flex bison yacc lex m4 nasm
  javac java jar javadoc kotlinc ktlint detekt scalac sbt ant checkstyle spotless google-java-format lein clojure clj boot
  rake rspec rubocop minitest cucumber rails jekyll brakeman standardrb sorbet srb steep erb haml-lint reek yard rdoc appraisal guard
  phpunit phpstan phpcs phpcbf psalm pest php-cs-fixer rector artisan phan infection parallel-lint box
  elixirc iex rebar3 erl erlc dialyzer gleam stack cabal ghc hlint ormolu fourmolu opam dune ocamlformat
  swift swiftc swiftlint swiftformat xcodebuild fastlane pod zig nim nimble crystal shards
  shfmt bats shunit2 checkbashisms asciidoctor pandoc pdflatex xelatex lualatex latexmk bibtex vale proselint plantuml dot
  sqlfluff ansible-lint tflint conftest opa kubeconform kubeval hugo zola eleventy gitlint typos reuse
  mdformat linkcheck cffconvert sbom msbuild csc fantomas paket cake stylua luacheck selene busted
  R bindgen tree-sitter antlr4 stylish-haskell purs spago elm elm-test elm-format elm-review rescript bsc reason refmt`;

const OUTWARD = `curl wget wget2 nc ncat netcat telnet ssh scp sftp ftp tftp lftp dig nslookup host drill ping ping6 traceroute mtr socat
  http https xh httpie aria2c axel whois nmap masscan tcpdump wireshark tshark gh hub glab aws gcloud gsutil az heroku flyctl fly vercel netlify
  surge firebase wrangler kubectl oc doctl linode-cli s3cmd rclone mail sendmail mutt ssh-copy-id ssh-add mosh autossh sshpass
  ngrok cloudflared localtunnel lt stunnel proxychains torsocks tor ipfs websocat wscat grpcurl redis-cli psql mysql mongo mongosh mysqldump
  pg_dump pg_restore lynx links w3m elinks youtube-dl yt-dlp codecov coveralls np release-it semantic-release snyk sonar-scanner
  logger nsupdate iperf iperf3 slackcat telegram-send xdg-open open smbclient rsh rlogin rcp finger`;

const PROGRAMS: Readonly<Record<string, Judge>> = {
  ...alike(TOOLS, ownCode()),
  ...FILE_PROGRAMS,
  ...CODE_PROGRAMS,
  ...alike(OUTWARD, NETWORK),
  ...alike(
    'shutdown reboot halt poweroff init systemctl service iptables nft insmod modprobe sysctl',
    refuses('it controls the machine, not the workspace'),
  ),
  ...alike(
    'sudo doas su pkexec runuser',
    refuses('a cell grants no further privileges: report what is missing'),
  ),
  ...alike('crontab at batch', asks('it runs something after the task has ended')),
  ...alike(
    'vi vim nvim emacs nano ed ex',
    asks('an editor waits for keyboard input and can run programs'),
  ),
  ...alike('gdb lldb strace ltrace perf', asks('it inspects other processes')),
};

/** The judge of a program by its name, where the name is known. */
export function judgeFor(name: string): Judge | undefined {
  return Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
}
