import {
  type Command,
  type CommandNode,
  type For,
  type Function as FunctionNode,
  forEachChild,
  type ParsedScript,
  type Pipeline,
  parse,
  type Redirection as RedirectionNode,
  type Statement,
  type SyntaxNode,
  type Word,
} from 'unbash';
import { type Arg, literalArg, type Part, type Redirection } from '../../domain/parsed-command.ts';
import { arithmeticDoubt, evaluatesArithmetic } from './arithmetic.ts';
import { argsOf, valueIn, type WordContext } from './expand-words.ts';
import { hiddenCharacterIn } from './hidden-characters.ts';
import { parseCommand } from './parse-command.ts';
import type { CommandContext, ParseContext } from './parse-context.ts';
import {
  type ParsedCommandBuilder,
  type ScriptContext,
  TooComplex,
} from './parsed-command-builder.ts';
import { redirectionOf } from './redirections.ts';
import { findVariableWrites, type VariableWrites } from './variable-writes.ts';
import type { Upstream } from './xargs-and-find.ts';

/** Reads shell text and everything in it, and returns the folders it may end in. */
export function parseScript(
  builder: ParsedCommandBuilder,
  text: string,
  context: ScriptContext,
): ScriptContext['folders'] {
  const hidden = hiddenCharacterIn(text);
  if (hidden) builder.addDoubt('hidden_character', hidden);
  const script = parse(text);
  const writes = findVariableWrites(script);
  for (const name of writes.controlling) builder.addDoubt('changed_shell', name);
  const reader = new ScriptReader(builder, writes, context);
  reader.script(script, context.within);
  return reader.folders;
}

const MAX_ROUNDS = 8;

/** Variables that the shell changes or reads by itself. */
const SHELL_VARIABLES =
  /^(_|IFS|PATH|PWD|OLDPWD|HOME|ENV|SHELL|RANDOM|SRANDOM|SECONDS|LINENO|HISTCMD|OPTARG|OPTIND|REPLY|UID|EUID|PPID|BASH.*|EPOCH.*|DIRSTACK|FUNCNAME|GROUPS|PIPESTATUS|SHELLOPTS|SHLVL|COMP_.*|MAPFILE|COPROC|PS\d)$/;

class ScriptReader implements ParseContext {
  readonly builder: ParsedCommandBuilder;
  readonly writes: VariableWrites;
  folders: readonly string[] | null;
  readonly functions = new Set<string>();
  readonly #values = new Map<string, Arg>();

  constructor(builder: ParsedCommandBuilder, writes: VariableWrites, { folders }: ScriptContext) {
    this.builder = builder;
    this.writes = writes;
    this.folders = writes.changesFolderInLoop ? null : folders;
  }

  script(script: ParsedScript, within: readonly string[]): void {
    for (const { message } of script.errors ?? []) {
      if (/nest/i.test(message)) throw new TooComplex(`it is nested too deeply: ${message}`);
      this.builder.addDoubt('unparsable', message);
    }
    const context = { within, fed: false, upstream: [], isUnconditional: within.length === 0 };
    this.statements(script.commands, context);
  }

  statements(statements: readonly Statement[], context: CommandContext): void {
    for (const { command, background } of statements) {
      const isUnconditional = context.isUnconditional && !background;
      if (background) this.#inSubshell(() => this.#node(command, { ...context, isUnconditional }));
      else this.#node(command, { ...context, isUnconditional });
    }
  }

  /** A change of folder stays inside: a subshell, a pipe, the background. */
  #inSubshell(read: () => void): void {
    const before = this.folders;
    read();
    this.folders = before;
  }

  #node(node: SyntaxNode, context: CommandContext): void {
    const conditional = { ...context, isUnconditional: false };
    switch (node.type) {
      case 'Command':
        return this.#command(node, context);
      case 'Pipeline':
        return this.#pipeline(node, context);
      case 'AndOr': {
        const [first, ...others] = node.commands;
        if (first) this.#node(first, context);
        for (const other of others) this.#node(other, conditional);
        return;
      }
      case 'Subshell':
        return this.#inSubshell(() => this.statements(node.body.commands, conditional));
      case 'Redirected': {
        const redirects = this.redirects(node.redirects, context);
        if (redirects.length > 0) this.builder.addPart(this.createPart({ redirects }, context));
        const fed = context.fed || redirects.some(({ way }) => way !== 'write');
        return this.#node(node.command, { ...conditional, fed });
      }
      case 'For':
        return this.#for(node, conditional);
      case 'Function':
        return this.#function(node, conditional);
      default:
        return this.#children(node, conditional);
    }
  }

  /** If, while, groups, arithmetic: reads everything inside, wherever it is. */
  #children(node: SyntaxNode, context: CommandContext): void {
    if (evaluatesArithmetic(node)) this.#checkArithmetic(node);
    forEachChild(node, (child) => {
      if (child.type === 'Word') this.args(child, context.within);
      else if (child.type === 'CompoundList') this.statements(child.commands, context);
      else if (isExpanded(child)) this.#expanded(child, context.within);
      else this.#node(child, context);
    });
  }

  #pipeline({ commands }: Pipeline, context: CommandContext): void {
    if (commands.length === 1 && commands[0]) return this.#node(commands[0], context);
    const upstream: Upstream[] = [];
    for (const [at, command] of commands.entries()) {
      const fed = context.fed || at > 0;
      const here = { ...context, fed, upstream: [...upstream], isUnconditional: false };
      this.#inSubshell(() => this.#node(command, here));
      upstream.push(this.#source(command));
    }
  }

  /** What a command writes to a pipe, if that is one known program. */
  #source(node: CommandNode): Upstream {
    if (node.type !== 'Command' || !node.name || node.prefix.length > 0) return NO_SOURCE;
    const [program, ...argv] = [node.name, ...node.args].flatMap((word) =>
      word.type === 'Word' ? argsOf(word, this.#silentContext()) : [],
    );
    return program?.open === null ? { program: program.text, argv } : NO_SOURCE;
  }

  #for({ name, wordlist, body }: For, context: CommandContext): void {
    const rounds = (wordlist ?? []).flatMap((word) => this.args(word, context.within));
    for (const { text } of rounds) this.checkEvaluatedAgain(text);
    const only = this.#isConstant(name.value);
    const few =
      wordlist && rounds.length <= MAX_ROUNDS && rounds.every(({ open }) => isKnown(open));
    if (!only || !few) return this.statements(body.commands, context);
    for (const round of rounds) {
      this.#values.set(name.value, round);
      this.statements(body.commands, context);
    }
    this.#values.delete(name.value);
  }

  #function({ name, body }: FunctionNode, context: CommandContext): void {
    this.functions.add(name.value);
    if (!/^[a-z_][\w-]*$/i.test(name.value)) this.builder.addDoubt('function_shadows', name.text);
    const inside = { ...context, within: [...context.within, `${name.value}()`], fed: true };
    if (body.type === 'CompoundList') this.statements(body.commands, inside);
    else this.#node(body, inside);
  }

  #command(command: Command, context: CommandContext): void {
    const redirects = this.redirects(command.redirects, context);
    const { name, args } = command;
    const prefix = command.prefix.filter((node) => node.type === 'Assignment');
    const assigns = prefix.flatMap((node) =>
      this.assignment(node, context.within, name !== undefined),
    );
    if (!name) {
      this.builder.addPart(this.createPart({ assigns, redirects }, context));
      for (const { name: variable, value } of context.isUnconditional ? assigns : []) {
        if (this.#isConstant(variable)) this.#values.set(variable, value);
      }
      return;
    }
    const words = [
      ...this.args(name, context.within),
      ...args.flatMap((arg) => this.#argument(arg, context.within)),
    ];
    const inputs = this.#inputs(command.redirects);
    parseCommand(this, { words, assigns, redirects, inputs, command }, context);
  }

  #argument(arg: Command['args'][number], within: readonly string[]): readonly Arg[] {
    if (arg.type === 'Word') return this.args(arg, within);
    return this.assignment(arg, within, true).map(({ name, value }) => ({
      ...value,
      text: `${name}=${value.text}`,
      start: `${name}=${value.start}`,
    }));
  }

  assignment(
    node: SyntaxNode & { type: 'Assignment' },
    within: readonly string[],
    exported: boolean,
  ) {
    const { name, value, index, append } = node;
    if (index) this.#checkArithmetic(node);
    if (index) this.args(index, within);
    if (value.type === 'ArrayValue') {
      for (const element of value.elements) {
        for (const { text } of this.args(element, within)) this.checkEvaluatedAgain(text);
      }
      return [{ name, value: unknownValue(node.text), exported }];
    }
    const expanded = valueIn(value, this.#wordContext(within));
    if (expanded.open === null) this.checkEvaluatedAgain(expanded.text);
    const whole = index || append ? unknownValue(node.text) : expanded;
    return [{ name, value: whole, exported }];
  }

  #isConstant(name: string): boolean {
    return this.writes.count(name) === 1 && !this.writes.mayWriteAny && !SHELL_VARIABLES.test(name);
  }

  args(word: Word, within: readonly string[]): readonly Arg[] {
    return argsOf(word, this.#wordContext(within));
  }

  redirects(nodes: readonly RedirectionNode[], { within }: CommandContext): readonly Redirection[] {
    return nodes.flatMap((node) => {
      if (node.type === 'HereDoc') {
        if (!node.closing) this.builder.addDoubt('unparsable', 'an unterminated here-document');
        for (const part of node.body.parts ?? []) this.#expanded(part, within);
        return [];
      }
      const targets = node.target ? this.args(node.target, within) : [];
      return node.type === 'HereString' ? [] : redirectionOf(node, targets);
    });
  }

  /** The text on a command's input, where it is known. */
  #inputs(nodes: readonly RedirectionNode[]): readonly Arg[] {
    return nodes.flatMap((node) => {
      if (node.type === 'HereString') {
        return node.target ? [valueIn(node.target, this.#silentContext())] : [];
      }
      if (node.type !== 'HereDoc') return [];
      const { text, parts } = node.body;
      const isFixed = node.delimiter?.quoted || !/[$`\\]/.test(text);
      return isFixed && !parts?.some(isExpanded) ? [literalArg(text)] : [unknownValue(text)];
    });
  }

  readText(text: string, context: ScriptContext): ScriptContext['folders'] {
    return parseScript(this.builder, text, context);
  }

  createPart(some: Partial<Part>, { within, fed }: CommandContext): Part {
    return { ...EMPTY, folders: this.folders, within, fed, ...some };
  }

  checkEvaluatedAgain(text: string): void {
    if (/\$\(|`|\$\{/.test(text)) this.builder.addDoubt('evaluated_text', text);
  }

  #checkArithmetic(node: SyntaxNode): void {
    const doubt = arithmeticDoubt(node, this.writes);
    if (doubt) this.builder.addDoubt('evaluated_text', doubt);
  }

  #expanded(part: SyntaxNode, within: readonly string[]): void {
    if ('script' in part) return this.#nested(part.script, '$( )', within);
    if (part.type === 'Word') {
      this.args(part, within);
      return;
    }
    if (evaluatesArithmetic(part)) this.#checkArithmetic(part);
    if (isOddExpansion(part)) this.builder.addDoubt('odd_expansion', part.text);
    forEachChild(part, (child) => this.#expanded(child, within));
  }

  #nested(script: ParsedScript | undefined, label: string, within: readonly string[]): void {
    if (!script) return;
    this.#inSubshell(() => this.script(script, [...within, label]));
  }

  #wordContext(within: readonly string[]): WordContext {
    return {
      valueOf: (name) => this.#valueOf(name),
      script: (script, label) => this.#nested(script, label, within),
      expansion: (part) => this.#expanded(part, within),
    };
  }

  /** Reads a word again without recording anything. */
  #silentContext(): WordContext {
    const nothing = () => undefined;
    return { valueOf: (name) => this.#valueOf(name), script: nothing, expansion: nothing };
  }

  #valueOf(name: string): Arg | undefined {
    if (name === 'HOME' && this.writes.count(name) === 0) return literalArg('~');
    if (name === 'PWD' && this.writes.count(name) === 0) return literalArg('.');
    return this.#values.get(name);
  }
}

const EMPTY = {
  program: '',
  argv: [],
  assigns: [],
  redirects: [],
  wraps: false,
  defined: false,
} as const;

const NO_SOURCE: Upstream = { program: '', argv: [] };

function unknownValue(text: string): Arg {
  return { text, open: 'unknown', start: '' };
}

function isKnown(open: Arg['open']): boolean {
  return open === null || open === 'glob';
}

const EXPANDED =
  /Expansion$|Substitution$|^Arithmetic(?!For|Command$)|^Parameter|Glob$|Quoted$|^Literal|^LocaleString|^HereDocBody/;

function isExpanded({ type }: SyntaxNode): boolean {
  return EXPANDED.test(type) && type !== 'Literal';
}

function isOddExpansion(part: SyntaxNode): part is SyntaxNode & { text: string } {
  if (part.type === 'ExtendedGlob' || part.type === 'LocaleString') return true;
  if (part.type !== 'ParameterExpansion') return false;
  const { operation, prefix } = part;
  if (operation?.type === 'Transform' || operation?.type === 'Unknown') return true;
  return prefix === '!' && operation?.type !== 'Names';
}
