import { type Arg, literalArg, type Part } from '../parsed-command.ts';
import { optionsOf, type Table, type Use } from './option-table.ts';
import { ruleCode, rulePath, rulePossiblePath, type Surroundings } from './paths.ts';
import { type GivenOption, type ReadCall, readOptions } from './read-options.ts';
import { deny, FINE, type Ruling, review, strictest, unlisted } from './ruling.ts';
import { ruleScriptText } from './scripts.ts';

/** A program call to judge. */
interface Call {
  readonly name: string;
  readonly argv: readonly Arg[];
  readonly part: Pick<Part, 'folders' | 'fed' | 'wraps'>;
  readonly at: Surroundings;
  /** The tables of programs by name. */
  readonly tables: (name: string) => Table | undefined;
}

/** A call whose words have been read. */
export interface JudgedCall extends Call, ReadCall {
  readonly table: Table;
}

/** Judges a call by what its table knows of the program. */
export function judgeCall(table: Table, call: Call): Ruling {
  if (table.always) return table.always;
  if (isAboutItself(call)) return FINE;
  if (table.verbs) return judgeVerb(table, call);
  return judgeWords(table, call);
}

/** A call for the version or help does nothing else. */
function isAboutItself({ argv: [only, ...others] }: Call): boolean {
  return others.length === 0 && /^--(version|help)$/.test(only?.text ?? '');
}

/** A first word such as `+nightly` chooses a toolchain. */
function judgeVerb(table: Table, call: Call): Ruling {
  const syntax = table.syntax ?? 'gnu';
  const argv = call.argv.slice(/^\+[\w.-]+$/.test(call.argv[0]?.text ?? '') ? 1 : 0);
  const { firstOperand: at, given } = readOptions(table, argv, 'leading');
  const before = argv.slice(0, at < 0 ? argv.length : at);
  const unknown = given.find(({ option, word }) => option === null && !word.includes('='));
  const verb = at < 0 ? undefined : argv[at];
  const globals = judgeWords({ ...table, operands: ['own'] }, { ...call, argv: before });
  if (!verb)
    return strictest([globals, judgeCall(table.none ?? NOTHING, { ...call, argv: [] })], FINE);
  if (unknown && isVerb(table, argv[at + 1]))
    return review(`cannot determine whether ${unknown.word} takes ${verb.text} as its value`);
  if (verb.open !== null) return review(`what ${call.name} does is known only at run time`);
  const inner = { ...call, name: `${call.name} ${verb.text}`, argv: argv.slice(at + 1) };
  const rulings = verbsNamed(table, verb.text).map((each) =>
    judgeCall(
      table.inherits
        ? { syntax, ...each, options: `${table.options} plain: ${each.options ?? ''}` }
        : each,
      inner,
    ),
  );
  return strictest([globals, ...rulings], FINE);
}

const NOTHING: Table = { source: '' };

/** Whether the verb may be here: a word that the table lists, or that is not known, or another option. */
function isVerb(table: Table, word: Arg | undefined): boolean {
  if (!word) return false;
  if (word.open !== null || word.start.startsWith('-')) return true;
  return !verbsNamed(table, word.text).includes(table.other ?? UNKNOWN_VERB);
}

/** The tables of the verbs that a word may stand for. */
function verbsNamed(
  { verbs = {}, abbreviatesVerbs, other }: Table,
  word: string,
): readonly Table[] {
  const exact = Object.hasOwn(verbs, word) ? verbs[word] : undefined;
  if (exact) return [exact];
  const names = abbreviatesVerbs ? Object.keys(verbs).filter((name) => name.startsWith(word)) : [];
  const similar = names.flatMap((name) => verbs[name] ?? []);
  return similar.length > 0 ? similar : [other ?? UNKNOWN_VERB];
}

const UNKNOWN_VERB: Table = {
  source: '',
  check: ({ name }) => [unlisted(`what ${name} does is not known`)],
};

function judgeWords(table: Table, call: Call): Ruling {
  const read = readOptions(table, call.argv);
  const judged: JudgedCall = { ...call, ...read, table };
  const inFolder = { ...judged, part: { ...call.part, folders: foldersOf(judged) } };
  return strictest(
    [
      ...read.given.map((given) => ruleOption(given, inFolder)),
      ...ruleUnclear(judged),
      ...ruleValues(judged),
      ...ruleOperands(inFolder),
      ...(table.check?.(inFolder) ?? []),
    ],
    FINE,
  );
}

/** Words after `-C folder` are relative to that folder; which ones is up to the program. */
function foldersOf({ given, part: { folders } }: JudgedCall): readonly string[] | null {
  const others = given.flatMap(({ option, value }) =>
    option?.effect === 'folder' && value?.open === null ? [value.text] : [],
  );
  if (!folders || others.length === 0) return folders;
  const joined = others.flatMap((other) =>
    folders.map((folder) =>
      /^[/~]/.test(other) ? other : `${folder === '' ? '.' : folder}/${other}`,
    ),
  );
  return [...folders, ...joined];
}

function ruleOption({ option, value, word }: GivenOption, call: JudgedCall): Ruling {
  if (!option)
    return strictest(
      [
        unlisted(`the effect of ${word} is not known for ${call.name}`),
        ...[literalArg(word), ...(value ? [value] : [])].map((arg) => ruleWord('own', arg, call)),
      ],
      FINE,
    );
  switch (option.effect) {
    case 'plain':
    case 'recurse':
      return FINE;
    case 'edit':
      return /[/*]/.test(value?.text ?? '')
        ? review(`${option.name} keeps a copy at ${value?.text}`)
        : FINE;
    case 'module':
      return ruleModule(value, call);
    case 'run':
      return review(`${option.name} makes ${call.name} run another program or code`);
    case 'connect':
      return deny(`${option.name} makes ${call.name} connect to another machine`);
    case 'ask':
      return review(`${option.name} makes ${call.name} do more than usual`);
    default:
      return value ? ruleWord(option.effect, value, call) : FINE;
  }
}

/** Judges a word by what the program does with it. */
function ruleWord(use: Use | 'word' | 'own', arg: Arg, call: JudgedCall): Ruling {
  const where = { folders: call.part.folders, at: call.at };
  switch (use) {
    case 'read':
    case 'write':
      return rulePath(arg, use, where);
    case 'code':
      return ruleCode(arg, where);
    case 'folder':
      return strictest([ruleCode(arg, where), rulePossiblePath(arg, where)], FINE);
    case 'script':
      return ruleScriptText(arg, call);
    case 'own':
      return rulePossiblePath(arg, where);
    case 'word':
      return FINE;
  }
}

function ruleModule(module: Arg | null, call: JudgedCall): Ruling {
  if (module?.open !== null) return review('which module runs is known only at run time');
  const { modules = {} } = call.table;
  const known = Object.hasOwn(modules, module.text) ? modules[module.text] : undefined;
  const table = known ?? call.tables(module.text) ?? REPOSITORY_CODE;
  return judgeCall(table, { ...call, name: module.text, argv: call.operands });
}

/** Code of the repository: what its words mean is not known. */
export const REPOSITORY_CODE: Table = { source: '', syntax: 'unknown', operands: ['own'] };

/** An option that only sets something may set what is run. */
function ruleValues({ table: { risky }, given, name }: JudgedCall): readonly Ruling[] {
  const found = given.find(({ value }) => value && risky?.test(value.text));
  return found
    ? [review(`${found.word} ${found.value?.text} makes ${name} run something else`)]
    : [];
}

const HARMLESS: ReadonlySet<string> = new Set(['plain', 'read', 'recurse', 'folder']);

/** A word that may expand to an option matters only where an option does more than read. */
function ruleUnclear({ unclear: [first], table, name }: JudgedCall): readonly Ruling[] {
  if (!first || table.operands?.[0] === 'own') return [];
  const isHarmless = [...optionsOf(table).values()].every(({ effect }) => HARMLESS.has(effect));
  const because = `${first.text} may expand to an option of ${name} that runs or writes something else`;
  return isHarmless ? [] : [review(because)];
}

/** An unlisted option may have taken a word, so each operand may also be one of those before it. */
function ruleOperands(call: JudgedCall): readonly Ruling[] {
  const { operands, given, name, table } = call;
  const replacing = table.replacedBy?.split(' ') ?? [];
  const isReplaced = given.some(({ option }) => option && replacing.includes(option.name));
  const kinds = (table.operands ?? []).slice(isReplaced ? 1 : 0);
  const edits = given.some(({ option }) => option?.effect === 'edit');
  const taken = given.filter(({ option, value }) => !option && !value).length;
  return operands.flatMap((arg, index) => {
    if (kinds.length === 0)
      return [unlisted(`${name} is not known to take ${arg.text}`), ruleWord('own', arg, call)];
    const last = Math.min(index, kinds.length - 1);
    return kinds.slice(Math.max(0, Math.min(index - taken, last)), last + 1).map((kind) => {
      const isLast = index >= operands.length - 1 - taken;
      if (kind === 'copy') return ruleWord(isLast ? 'write' : 'read', arg, call);
      return ruleWord(kind === 'read' && edits ? 'write' : kind, arg, call);
    });
  });
}
