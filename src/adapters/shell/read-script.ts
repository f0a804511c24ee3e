import {
  type Case,
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
  type TestExpression,
  type Word,
} from 'unbash';
import { type Arg, known, type Part, type Redirection } from '../../domain/shell-reading.ts';
import { hiddenIn } from './hidden.ts';
import type { Upstream } from './listings.ts';
import { Excess, type Notes, type Place } from './notes.ts';
import { readCommand } from './read-command.ts';
import type { Reader, Standing } from './reader.ts';
import { redirectionOf } from './redirections.ts';
import { doubtIn, reckons } from './second-look.ts';
import { type Around, argsOf, valueIn } from './words.ts';
import { type Writers, writersIn } from './writers.ts';

/** Reads shell text and everything in it, and says in which folders it may have ended. */
export function readText(notes: Notes, text: string, place: Place): Place['folders'] {
  const hidden = hiddenIn(text);
  if (hidden) notes.doubt('hidden_character', hidden);
  const script = parse(text);
  const reader = new ScriptReader(notes, writersIn(script), place);
  reader.script(script, place.within);
  return reader.folders;
}

const MOST_ROUNDS = 8;

/** Variables that the shell changes or reads by itself. */
const OWN =
  /^(_|IFS|PATH|PWD|OLDPWD|HOME|ENV|SHELL|RANDOM|SRANDOM|SECONDS|LINENO|HISTCMD|OPTARG|OPTIND|REPLY|UID|EUID|PPID|BASH.*|EPOCH.*|DIRSTACK|FUNCNAME|GROUPS|PIPESTATUS|SHELLOPTS|SHLVL|COMP_.*|MAPFILE|COPROC|PS\d)$/;

class ScriptReader implements Reader {
  readonly notes: Notes;
  readonly writers: Writers;
  folders: readonly string[] | null;
  readonly functions = new Set<string>();
  readonly #values = new Map<string, Arg>();

  constructor(notes: Notes, writers: Writers, { folders }: Place) {
    this.notes = notes;
    this.writers = writers;
    this.folders = writers.wanders ? null : folders;
  }

  script(script: ParsedScript, within: readonly string[]): void {
    for (const { message } of script.errors ?? []) {
      if (/nest/i.test(message)) throw new Excess(`it is nested too deep: ${message}`);
      this.notes.doubt('unparsable', message);
    }
    const standing = { within, fed: false, upstream: [], straight: within.length === 0 };
    this.statements(script.commands, standing);
  }

  statements(statements: readonly Statement[], standing: Standing): void {
    for (const { command, background } of statements) {
      const straight = standing.straight && !background;
      if (background) this.#apart(() => this.#node(command, { ...standing, straight }));
      else this.#node(command, { ...standing, straight });
    }
  }

  /** What happens to folders inside stays inside: a subshell, a pipe, the background. */
  #apart(read: () => void): void {
    const before = this.folders;
    read();
    this.folders = before;
  }

  #node(node: SyntaxNode, standing: Standing): void {
    const maybe = { ...standing, straight: false };
    switch (node.type) {
      case 'Command':
        return this.#command(node, standing);
      case 'Pipeline':
        return this.#pipeline(node, standing);
      case 'AndOr': {
        const [first, ...others] = node.commands;
        if (first) this.#node(first, standing);
        for (const other of others) this.#node(other, maybe);
        return;
      }
      case 'Subshell':
        return this.#apart(() => this.statements(node.body.commands, maybe));
      case 'Redirected': {
        const redirects = this.redirects(node.redirects, standing);
        if (redirects.length > 0) this.notes.part(this.partOf({ redirects }, standing));
        const fed = standing.fed || redirects.some(({ way }) => way !== 'write');
        return this.#node(node.command, { ...maybe, fed });
      }
      case 'For':
        return this.#for(node, maybe);
      case 'Case':
        return this.#case(node, maybe);
      case 'Function':
        return this.#function(node, maybe);
      case 'TestCommand':
        return this.#test(node.expression, maybe);
      default:
        return this.#others(node, maybe);
    }
  }

  /** If, while, groups, arithmetic: everything inside is read wherever it stands. */
  #others(node: SyntaxNode, standing: Standing): void {
    if (reckons(node)) this.#look(node);
    forEachChild(node, (child) => {
      if (child.type === 'Word') this.args(child, standing.within);
      else if (child.type === 'CompoundList') this.statements(child.commands, standing);
      else if (isExpanded(child)) this.#expanded(child, standing.within);
      else this.#node(child, standing);
    });
  }

  #pipeline({ commands }: Pipeline, standing: Standing): void {
    if (commands.length === 1 && commands[0]) return this.#node(commands[0], standing);
    const upstream: Upstream[] = [];
    for (const [at, command] of commands.entries()) {
      const fed = standing.fed || at > 0;
      const here = { ...standing, fed, upstream: [...upstream], straight: false };
      this.#apart(() => this.#node(command, here));
      upstream.push(this.#source(command));
    }
  }

  /** What a command puts into a pipe, where that is one known program. */
  #source(node: CommandNode): Upstream {
    if (node.type !== 'Command' || !node.name || node.prefix.length > 0) return NO_SOURCE;
    const [program, ...argv] = [node.name, ...node.args].flatMap((word) =>
      word.type === 'Word' ? argsOf(word, this.#quietly()) : [],
    );
    return program?.open === null ? { program: program.text, argv } : NO_SOURCE;
  }

  #for({ name, wordlist, body }: For, standing: Standing): void {
    const rounds = (wordlist ?? []).flatMap((word) => this.args(word, standing.within));
    for (const { text } of rounds) this.secondTime(text);
    const only =
      this.writers.count(name.value) === 1 && !this.writers.wild && !OWN.test(name.value);
    const few =
      wordlist && rounds.length <= MOST_ROUNDS && rounds.every(({ open }) => isTold(open));
    if (!only || !few) return this.statements(body.commands, standing);
    for (const round of rounds) {
      this.#values.set(name.value, round);
      this.statements(body.commands, standing);
    }
    this.#values.delete(name.value);
  }

  #case({ word, items }: Case, standing: Standing): void {
    this.args(word, standing.within);
    for (const { pattern, body } of items) {
      for (const each of pattern) this.args(each, standing.within);
      this.statements(body.commands, standing);
    }
  }

  #function({ name, body }: FunctionNode, standing: Standing): void {
    this.functions.add(name.value);
    if (!/^[a-z_][\w-]*$/i.test(name.value)) this.notes.doubt('function_shadows', name.text);
    const inside = { ...standing, within: [...standing.within, `${name.value}()`], fed: true };
    if (body.type === 'CompoundList') this.statements(body.commands, inside);
    else this.#node(body, inside);
  }

  #test(expression: TestExpression, standing: Standing): void {
    if (reckons(expression)) this.#look(expression);
    forEachChild(expression, (child) => {
      if (child.type === 'Word') this.args(child, standing.within);
      else if (child.type.startsWith('Test')) this.#test(child as TestExpression, standing);
    });
  }

  #command(command: Command, standing: Standing): void {
    const redirects = this.redirects(command.redirects, standing);
    const { name, args } = command;
    const prefix = command.prefix.filter((node) => node.type === 'Assignment');
    const assigns = prefix.flatMap((node) =>
      this.assignment(node, standing.within, name !== undefined),
    );
    if (!name) {
      this.notes.part(this.partOf({ assigns, redirects }, standing));
      for (const { name: variable, value } of standing.straight ? assigns : []) {
        if (this.#isConstant(variable)) this.#values.set(variable, value);
      }
      return;
    }
    const words = [
      ...this.args(name, standing.within),
      ...args.flatMap((arg) => this.#argument(arg, standing.within)),
    ];
    const inputs = this.#inputs(command.redirects);
    readCommand(this, { words, assigns, redirects, inputs, command }, standing);
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
    if (index) this.#look(node);
    if (index) this.args(index, within);
    if (value.type === 'ArrayValue') {
      for (const element of value.elements) {
        for (const { text } of this.args(element, within)) this.secondTime(text);
      }
      return [{ name, value: unknownValue(node.text), exported }];
    }
    const told = valueIn(value, this.#around(within));
    if (told.open === null) this.secondTime(told.text);
    const whole = index || append ? unknownValue(node.text) : told;
    return [{ name, value: whole, exported }];
  }

  #isConstant(name: string): boolean {
    return this.writers.count(name) === 1 && !this.writers.wild && !OWN.test(name);
  }

  args(word: Word, within: readonly string[]): readonly Arg[] {
    return argsOf(word, this.#around(within));
  }

  redirects(nodes: readonly RedirectionNode[], { within }: Standing): readonly Redirection[] {
    return nodes.flatMap((node) => {
      if (node.type === 'HereDoc') {
        if (!node.closing) this.notes.doubt('unparsable', 'a here-document without an end');
        for (const part of node.body.parts ?? []) this.#expanded(part, within);
        return [];
      }
      const targets = node.target ? this.args(node.target, within) : [];
      return node.type === 'HereString' ? [] : redirectionOf(node, targets);
    });
  }

  /** Text that a command is given on its input, where it is known. */
  #inputs(nodes: readonly RedirectionNode[]): readonly Arg[] {
    return nodes.flatMap((node) => {
      if (node.type === 'HereString') {
        return node.target ? [valueIn(node.target, this.#quietly())] : [];
      }
      if (node.type !== 'HereDoc') return [];
      const { text, parts } = node.body;
      const isFixed = node.delimiter?.quoted || !/[$`\\]/.test(text);
      return isFixed && !parts?.some(isExpanded) ? [known(text)] : [unknownValue(text)];
    });
  }

  text(text: string, place: Place): Place['folders'] {
    return readText(this.notes, text, place);
  }

  partOf(some: Partial<Part>, { within, fed }: Standing): Part {
    return { ...EMPTY, folders: this.folders, within, fed, ...some };
  }

  secondTime(text: string): void {
    if (/\$\(|`|\$\{/.test(text)) this.notes.doubt('evaluated_text', text);
  }

  #look(node: SyntaxNode): void {
    const doubt = doubtIn(node, this.writers);
    if (doubt) this.notes.doubt('evaluated_text', doubt);
  }

  #expanded(part: SyntaxNode, within: readonly string[]): void {
    if (part.type === 'CommandExpansion' || part.type === 'ProcessSubstitution') {
      return this.#nested(part.script, '$( )', within);
    }
    if (part.type === 'ArithmeticCommandExpansion')
      return this.#nested(part.script, '$( )', within);
    if (part.type === 'Word') {
      this.args(part, within);
      return;
    }
    if (reckons(part)) this.#look(part);
    if (isOddExpansion(part)) this.notes.doubt('odd_expansion', part.text);
    forEachChild(part, (child) => this.#expanded(child, within));
  }

  #nested(script: ParsedScript | undefined, label: string, within: readonly string[]): void {
    if (!script) return;
    this.#apart(() => this.script(script, [...within, label]));
  }

  #around(within: readonly string[]): Around {
    return {
      valueOf: (name) => this.#valueOf(name),
      script: (script, label) => this.#nested(script, label, within),
      expansion: (part) => this.#expanded(part, within),
    };
  }

  /** Reads a word once more without taking anything down. */
  #quietly(): Around {
    const nothing = () => undefined;
    return { valueOf: (name) => this.#valueOf(name), script: nothing, expansion: nothing };
  }

  #valueOf(name: string): Arg | undefined {
    if (name === 'HOME' && this.writers.count(name) === 0) return known('~');
    if (name === 'PWD' && this.writers.count(name) === 0) return known('.');
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

function isTold(open: Arg['open']): boolean {
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
