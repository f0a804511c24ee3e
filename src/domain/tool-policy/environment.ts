import { type Arg, type Assign, literalArg } from '../parsed-command.ts';
import type { Table } from './option-table.ts';
import { readOptions } from './read-options.ts';
import { deny, FINE, type Ruling, review, unlisted } from './ruling.ts';
import { tableOf } from './tables/programs.ts';

/** Variables that configure programs and cannot make them run something else. */
const HARMLESS: ReadonlySet<string> = new Set(
  `CI NODE_ENV BABEL_ENV APP_ENV RAILS_ENV RACK_ENV MIX_ENV ENVIRONMENT FORCE_COLOR NO_COLOR COLORTERM CLICOLOR
  CLICOLOR_FORCE TERM COLUMNS LINES TZ LANG LC_ALL LC_CTYPE LANGUAGE DEBUG VERBOSE LOG_LEVEL QUIET PORT HOST HOSTNAME
  RUST_BACKTRACE RUST_LOG CARGO_TERM_COLOR CARGO_INCREMENTAL CARGO_TARGET_DIR
  CARGO_NET_OFFLINE RUST_TEST_THREADS CGO_ENABLED GOOS GOARCH GOARM GO111MODULE GOMAXPROCS GOCACHE GOTOOLCHAIN GORACE
  PYTHONPATH PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED PYTHONHASHSEED PYTHONWARNINGS PYTHONIOENCODING
  PYTHONUTF8 PYTHONFAULTHANDLER PYTHONDEVMODE DJANGO_SETTINGS_MODULE FLASK_APP FLASK_ENV FLASK_DEBUG
  SETUPTOOLS_SCM_PRETEND_VERSION PIP_DISABLE_PIP_VERSION_CHECK PIP_NO_INPUT
  TS_NODE_PROJECT TS_NODE_TRANSPILE_ONLY TS_NODE_FILES TS_NODE_COMPILER_OPTIONS ESLINT_USE_FLAT_CONFIG
  GENERATE_SOURCEMAP ANALYZE BUNDLE COVERAGE BROWSER BROWSERSLIST_IGNORE_OLD_DATA UPDATE_SNAPSHOTS SKIP_PREFLIGHT_CHECK
  DISABLE_ESLINT_PLUGIN HUSKY HUSKY_SKIP_INSTALL SASS_PATH NEXT_TELEMETRY_DISABLED DO_NOT_TRACK
  PUPPETEER_SKIP_DOWNLOAD PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD CYPRESS_INSTALL_BINARY ELECTRON_SKIP_BINARY_DOWNLOAD
  CC CXX AR JOBS DESTDIR PREFIX V W SOURCE_DATE_EPOCH
  CMAKE_BUILD_TYPE CTEST_OUTPUT_ON_FAILURE CTEST_PARALLEL_LEVEL JAVA_HOME
  DOTNET_CLI_TELEMETRY_OPTOUT DOTNET_NOLOGO NUGET_XMLDOC_MODE BUNDLE_WITHOUT BUNDLE_GEMFILE
  XDEBUG_MODE COMPOSER_NO_INTERACTION APP_DEBUG TARGET ARCH VERSION MODE STAGE BUILD_TYPE SEED DATABASE_URL TMPDIR
  GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_AUTHOR_DATE GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_COMMITTER_DATE GIT_PAGER
  GIT_TERMINAL_PROMPT PAGER NODE_NO_WARNINGS NODE_V8_COVERAGE NODE_DISABLE_COLORS NPM_CONFIG_LOGLEVEL`.split(
    /\s+/,
  ),
);
const HARMLESS_FAMILY =
  /^(VITE|REACT_APP|NEXT_PUBLIC|NUXT|EXPO_PUBLIC|GATSBY|VUE_APP|STORYBOOK|JEST|VITEST|MOCHA|TEST|TESTS|E2E|CI|GITHUB|BUILD|APP|FEATURE|ENABLE|DISABLE|SKIP|USE|WITH|NO|DJANGO|CMAKE|BENCH|FUZZ|DOCS)_[A-Z0-9_]+$/;

/** Variables that can make a program run or load something else. */
const CONTROLLING =
  /^(PATH|CDPATH|IFS|ENV|BASH_ENV|BASH_.*|SHELLOPTS|BASHOPTS|SHELL|PS[0-4]|PROMPT_COMMAND|HOME|GLOBIGNORE|FIGNORE|EXECIGNORE|HISTFILE|HISTCMD|TMOUT|POSIXLY_CORRECT|OPTIND|LD_.*|DYLD_.*|GCONV_PATH|NODE_PATH|PERL5.*|PERLLIB|RUBYLIB|PYTHONSTARTUP|PYTHONHOME|PYTHONINSPECT|GIT_(SSH|SSH_COMMAND|EXEC_PATH|EDITOR|SEQUENCE_EDITOR|ASKPASS|PROXY_COMMAND|EXTERNAL_DIFF|CONFIG.*|DIR|WORK_TREE|TEMPLATE_DIR|ALTERNATE.*|OBJECT_DIRECTORY|INDEX_FILE)|EDITOR|VISUAL|LESSOPEN|LESSCLOSE|LESS|MANPAGER|RUSTC|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|CARGO_(BUILD|HOME|TARGET_.*_(LINKER|RUNNER)).*|GOFLAGS|GOPROXY|GOPRIVATE|GONOSUMDB|GOPATH|GOROOT|npm_config_.*|NPM_CONFIG_(?!LOGLEVEL$).*|YARN_.*|PNPM_.*|PIP_(?!DISABLE_PIP_VERSION_CHECK$|NO_INPUT$).*|UV_.*|http_proxy|https_proxy|all_proxy|no_proxy|HTTP_PROXY|HTTPS_PROXY|ALL_PROXY|RIPGREP_CONFIG_PATH|GREP_OPTIONS|TAR_OPTIONS|MAKEFILES|AWKPATH|AWKLIBPATH|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|CLASSPATH)$/;

/** Judges a variable set for one program, or for all that follow. */
export function ruleAssign({ name, value, exported }: Assign): Ruling {
  if (/^(BASH_ENV|LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES)$/.test(name)) {
    return deny(`${name} would make every program started after it preload other code`);
  }
  if (CONTROLLING.test(name))
    return review(`${name} changes which programs run or how they behave`);
  if (!exported) return FINE;
  const table = Object.hasOwn(OPTIONS_OF, name) ? tableOf(OPTIONS_OF[name] ?? '') : undefined;
  if (table) return ruleOptions(name, value, table);
  if (/^(GIT_PAGER|PAGER|BROWSER|CC|CXX|AR)$/.test(name)) {
    return /^(cat|true|none|gcc|g\+\+|clang|clang\+\+|cc|c\+\+|ar|less|gcc-\d+|g\+\+-\d+|clang-\d+|)$/.test(
      value.text,
    )
      ? FINE
      : review(`${name} names a program that would be run`);
  }
  if (HARMLESS.has(name) || HARMLESS_FAMILY.test(name) || isOwn(name, value)) return FINE;
  return unlisted(`the effect of the variable ${name} is unknown`);
}

/** Parts of a name which suggest that the value is run, loaded, or points elsewhere. */
const SUSPICIOUS_PARTS =
  /PATH|PRELOAD|COMMAND|CMD|EXEC|SHELL|PAGER|EDITOR|OPTIONS|OPTS|FLAGS|ARGS|HOOK|PLUGIN|LOADER|WRAPPER|HELPER|PASS|PROXY|CONFIG|RC$|INIT|STARTUP|LIB|HOME|REGISTRY|INDEX|SCRIPT|PROGRAM|BIN|TOOL|LINKER|RUNNER|URL|SERVER|CERT/;

/** A switch of the project's own: a name without such parts, and a plain word as its value. */
function isOwn(name: string, { text, open }: Assign['value']): boolean {
  if (!/^[A-Z][A-Z0-9_]*$/.test(name) || SUSPICIOUS_PARTS.test(name)) return false;
  return (open === null && /^[\w.,:@+-]*$/.test(text)) || open === 'number';
}

/** Variables that hold options of a program, which are read as that program reads them. */
const OPTIONS_OF: Readonly<Record<string, string>> = {
  NODE_OPTIONS: 'node',
  MAKEFLAGS: 'make',
  PYTEST_ADDOPTS: 'pytest',
  CFLAGS: 'gcc',
  CXXFLAGS: 'gcc',
  CPPFLAGS: 'gcc',
  LDFLAGS: 'gcc',
  RUSTFLAGS: 'rustc',
  RUSTDOCFLAGS: 'rustc',
  GRADLE_OPTS: 'java',
  MAVEN_OPTS: 'java',
  JAVA_OPTS: 'java',
};

function ruleOptions(name: string, { text, open }: Arg, table: Table): Ruling {
  const words = text
    .replaceAll('"', '')
    .split(/\s+/)
    .filter((word) => word !== '' && !word.includes('$'));
  const { given, operands } = readOptions(table, words.map(literalArg));
  const isRisky = given.some(
    ({ option, value }) =>
      (option && !/^(plain|read)$/.test(option.effect)) || (value && table.risky?.test(value.text)),
  );
  if (isRisky || operands.length > 0)
    return review(`${name} makes programs load or run something else`);
  const unknown = given.find(({ option }) => option === null)?.word;
  if (unknown === undefined && open === null) return FINE;
  return unlisted(`the effect of ${unknown ?? text} in ${name} is not known`);
}
