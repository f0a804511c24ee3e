import { type Arg, type Assign, assignmentIn, literalArg, type Part } from '../parsed-command.ts';
import { readOptions } from './read-options.ts';
import { deny, FINE, type Ruling, review, unlisted } from './ruling.ts';
import { tableOf } from './tables/programs.ts';

function anyOf(patterns: string): RegExp {
  return new RegExp(`^(${patterns.split(/\s+/).join('|')})$`);
}

/** Variables with which every program started after it loads other code. */
const PRELOADS = anyOf('BASH_ENV LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES');

/** Variables that can make a program run or load something else. */
const CONTROLLING =
  anyOf(`PATH CDPATH IFS ENV BASH_.* SHELLOPTS BASHOPTS SHELL PS[0-4] PROMPT_COMMAND HOME
  GLOBIGNORE FIGNORE EXECIGNORE HISTFILE HISTCMD TMOUT POSIXLY_CORRECT OPTIND LD_.* DYLD_.* GCONV_PATH NODE_PATH
  PERL5.* PERLLIB RUBYLIB RUBYOPT PYTHONSTARTUP PYTHONHOME PYTHONINSPECT PYTHONBREAKPOINT EDITOR VISUAL LESSOPEN
  LESSCLOSE LESS MANPAGER GIT_(SSH|SSH_COMMAND|EXEC_PATH|EDITOR|SEQUENCE_EDITOR|ASKPASS|PROXY_COMMAND|EXTERNAL_DIFF)
  GIT_(CONFIG.*|DIR|WORK_TREE|TEMPLATE_DIR|ALTERNATE.*|OBJECT_DIRECTORY|INDEX_FILE) RUSTC RUSTC_WRAPPER
  RUSTC_WORKSPACE_WRAPPER CARGO_(BUILD|HOME|TARGET_.*_(LINKER|RUNNER)).* GOFLAGS GOPROXY GOPRIVATE GONOSUMDB GOPATH
  GOROOT npm_config_.* NPM_CONFIG_(?!LOGLEVEL$).* YARN_.* PNPM_.* PIP_(?!DISABLE_PIP_VERSION_CHECK$|NO_INPUT$).* UV_.*
  (https?|all|no)_proxy (HTTPS?|ALL)_PROXY RIPGREP_CONFIG_PATH GREP_OPTIONS TAR_OPTIONS MAKEFILES AWKPATH AWKLIBPATH
  JAVA_TOOL_OPTIONS _JAVA_OPTIONS CLASSPATH`);

/** Variables with values of any kind that cannot make a program run something else. */
const HARMLESS =
  anyOf(`TZ DEBUG RUST_LOG DATABASE_URL TMPDIR DESTDIR PREFIX CARGO_TARGET_DIR GOCACHE GOTOOLCHAIN
  TS_NODE_COMPILER_OPTIONS ESLINT_USE_FLAT_CONFIG DISABLE_ESLINT_PLUGIN SASS_PATH NODE_V8_COVERAGE PYTHONWARNINGS
  CYPRESS_INSTALL_BINARY ELECTRON_SKIP_BINARY_DOWNLOAD NPM_CONFIG_LOGLEVEL PIP_DISABLE_PIP_VERSION_CHECK
  GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)
  (VITE|REACT_APP|NEXT_PUBLIC|NUXT|EXPO_PUBLIC|GATSBY|VUE_APP|STORYBOOK|JEST|VITEST|TESTS?|E2E|CI|APP|BUILD)_[A-Z0-9_]+`);

/** Parts of a name which suggest that the value is run, loaded, or points elsewhere. */
const SUSPICIOUS_PARTS =
  /PATH|PRELOAD|COMMAND|CMD|EXEC|SHELL|PAGER|EDITOR|OPTIONS|OPTS?$|FLAGS|ARGS|HOOK|PLUGIN|LOADER|WRAPPER|HELPER|PASS|PROXY|CONFIG|RC$|INIT|STARTUP|LIB|HOME|REGISTRY|INDEX|SCRIPT|PROGRAM|BIN|TOOL|LINKER|RUNNER|URL|SERVER|CERT/;

/** Variables that name a program, and the ones that they may name. */
const NAMES_PROGRAM = anyOf('GIT_PAGER PAGER BROWSER CC CXX AR');
const USUAL_PROGRAM = /^((cat|true|none|gcc|g\+\+|clang|clang\+\+|cc|c\+\+|ar|less)(-\d+)?|)$/;

/** Variables that hold options of a program, which are read as that program reads them. */
const OPTIONS_OF: readonly (readonly [RegExp, string])[] = [
  [/^NODE_OPTIONS$/, 'node'],
  [/^(GNU)?MAKEFLAGS$/, 'make'],
  [/^PYTEST_ADDOPTS$/, 'pytest'],
  [/^([A-Z]+_)?(C|CXX|CPP|LD)FLAGS$/, 'gcc'],
  [/^RUST(DOC)?FLAGS$/, 'rustc'],
  [/^(GRADLE|MAVEN|JAVA)_OPTS$/, 'java'],
];

export function isControlling(name: string): boolean {
  return CONTROLLING.test(name);
}

/** The variables that a part sets: before its program, and by builtins that name them. */
export function variablesSetBy({ program, argv, assigns }: Part): readonly Assign[] {
  if (/^(export|readonly|declare|typeset|local)$/.test(program)) {
    const exported = program === 'export' || argv.some(({ text }) => /^-\w*x/.test(text));
    return [...assigns, ...argv.flatMap((arg) => assignmentIn(arg, exported))];
  }
  const isNamed = /^(read|mapfile|readarray|getopts)$/.test(program);
  const names = program === 'printf' && argv[0]?.text === '-v' ? argv.slice(1, 2) : [];
  const before = assigns.filter(({ name }) => !(name === 'IFS' && program === 'read'));
  return [
    ...before,
    ...(isNamed ? argv : names).map((value) => ({ name: value.text, value, exported: false })),
  ];
}

/** Judges a variable set for one program, or for all that follow. */
export function ruleAssign({ name, value, exported }: Assign): Ruling {
  if (PRELOADS.test(name))
    return deny(`${name} would make every program started after it preload other code`);
  if (isControlling(name)) return review(`${name} changes which programs run or how they behave`);
  if (!exported) return FINE;
  const program = OPTIONS_OF.find(([names]) => names.test(name))?.[1];
  if (program !== undefined) return ruleOptions(name, value, program);
  if (NAMES_PROGRAM.test(name) && !USUAL_PROGRAM.test(value.text))
    return review(`${name} names a program that would be run`);
  if (name === 'PYTHONPATH' && isOfWorkspace(value)) return FINE;
  if (NAMES_PROGRAM.test(name) || HARMLESS.test(name) || isOwn(name, value)) return FINE;
  return unlisted(`the effect of the variable ${name} is unknown`);
}

/** Folders below the one in which the program runs. */
function isOfWorkspace({ text, open }: Arg): boolean {
  return open === null && text.split(':').every((folder) => !/^[/~]|\.\./.test(folder));
}

/** A switch of the project's own: a name without such parts, and a plain word as its value. */
function isOwn(name: string, { text, open }: Arg): boolean {
  if (!/^[A-Z][A-Z0-9_]*$/.test(name) || SUSPICIOUS_PARTS.test(name)) return false;
  return (open === null && /^[\w.,:@+-]*$/.test(text)) || open === 'number';
}

function ruleOptions(name: string, { text, open }: Arg, program: string): Ruling {
  const table = tableOf(program) ?? { source: '' };
  const words = text.replaceAll('"', '').split(/\s+/);
  const known = words.filter((word) => word !== '' && !word.includes('$'));
  const { given, operands } = readOptions(table, known.map(literalArg));
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
