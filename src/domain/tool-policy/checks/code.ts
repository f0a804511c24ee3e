import type { JudgedCall } from '../judge-call.ts';
import { ruleCode, rulePossiblePath } from '../paths.ts';
import { deny, type Ruling, review } from '../ruling.ts';

/** Code from standard input is not read, and a script on another machine is not the repository's. */
export function checkInterpreter(call: JudgedCall): readonly Ruling[] {
  const { operands, given, part, name } = call;
  const [script] = operands;
  if (/^[a-z]+:\/\//i.test(script?.start ?? ''))
    return [deny(`${script?.text} is on another machine`)];
  if (part.wraps || (script && script.text !== '-')) return [];
  const isGiven = given.some(
    ({ option, word }) => RUNS.test(option?.effect ?? '') || word === '--test',
  );
  const reads = script !== undefined || part.fed || given.length === 0;
  return reads && !isGiven ? [review(`${name} runs code from its standard input`)] : [];
}

/** The text after `-c` is read as commands of its own; without it, the first operand is a script. */
export function checkShell(call: JudgedCall): readonly Ruling[] {
  const { operands, given, part, at } = call;
  if (given.some(({ word }) => word === '-c')) return [];
  const where = { folders: part.folders, at };
  const [script, ...words] = operands;
  return [
    ...(script ? [ruleCode(script, where)] : []),
    ...words.map((word) => rulePossiblePath(word, where)),
  ];
}

const RUNS = /^(script|code|module|run)$/;

/** `NAME=value` replaces a variable of the makefile, which may name a program or hold code. */
export function checkMake({ operands }: JudgedCall): readonly Ruling[] {
  return operands.flatMap(({ text, open }) => {
    const [, name, value = ''] = /^([^=]+?)[:+?!]*=(.*)$/s.exec(text) ?? [];
    if (name === undefined) return [];
    const isPlain = open === null && /^[\w.,:@+/ =-]*$/.test(value);
    const isKnown = PROGRAM_VARIABLE.test(name)
      ? COMPILER.test(value)
      : isPlain && (!OPTION_VARIABLE.test(name) || COMPILER_OPTIONS.test(value));
    if (isKnown) return [];
    return [review(`${text} may make the makefile run something else`)];
  });
}

const PROGRAM_VARIABLE =
  /^(SHELL|\.SHELLFLAGS|MAKE|MAKEFLAGS|MFLAGS|GNUMAKEFLAGS|MAKEFILES|CC|CXX|CPP|LD|AR|AS|NM|RANLIB|STRIP|FC|GO|NODE|NPM|NPX|PYTHON\d?|PIP|RUSTC|CARGO|JAVA|JAVAC|PHP|RUBY|PERL|SED|AWK|RM|CP|MV|INSTALL|LEX|YACC|PKG_CONFIG|DOCKER|GIT|EDITOR|PAGER)$/;
const OPTION_VARIABLE = /FLAGS$|CMD|COMMAND|SCRIPT|PRE|POST|EXEC|RUN/;
const COMPILER_OPTIONS =
  /^(\s*-(W(?![lap],)|O|g|D|I|std=|f(?!plugin)|m|j|v|race|tags=|count=|run=)[\w=./+-]*)*$/;
const COMPILER =
  /^(gcc|g\+\+|clang|clang\+\+|cc|c\+\+|ar|go|node|npm|npx|python3?|pip3?|cargo|java|javac|cat|true)(-\d+)?$/;

/** Tasks of Gradle and goals of Maven that publish, or that belong to a plugin which only the command names. */
export function checkPublishing({ operands }: JudgedCall): readonly Ruling[] {
  const has = (goal: RegExp) => operands.some(({ text }) => goal.test(text));
  if (has(/(^|:)(deploy|publish\w*|release:\w+|upload\w*|scm:\w+|exec:\w+)$/))
    return [deny("it publishes under the project's name")];
  return has(/^[\w-]+(\.[\w-]+)+:/)
    ? [review('it runs a plugin that the project does not declare')]
    : [];
}

/** A module path with a version is downloaded. */
export function checkGoPackages({ operands }: JudgedCall): readonly Ruling[] {
  return operands.some(({ text }) => /^[\w.-]+\.[a-z]+\/.*@/.test(text))
    ? [review('it adds a package that is not in the lock file')]
    : [];
}
