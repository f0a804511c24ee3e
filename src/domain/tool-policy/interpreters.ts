import { FINE, type Ruling, review, ruleCode, strictest } from './paths.ts';
import {
  type Call,
  has,
  isAboutItself,
  type Judge,
  operandsOf,
  ownCode,
} from './program-judges.ts';

/** The judge of a module that has one of its own. */
type Modules = (name: string) => Judge | undefined;

export const python =
  (modules: Modules): Judge =>
  (call) => {
    if (isAboutItself(call)) return FINE;
    const valued = ['-X', '-W', '-Q'];
    const module = call.argv.findIndex(({ text }) => text === '-m');
    const code = call.argv.findIndex(({ text }) => /^-[A-Za-z]*c$/.test(text));
    if (code >= 0 && (module < 0 || code < module)) return ruleInline(call, code + 1, PLAIN_PYTHON);
    if (module >= 0) return ruleModule(call, module, modules);
    return ruleScript(call, valued);
  };

const PLAIN_PYTHON =
  /^\s*(import [\w., ]+|from [\w.]+ import [\w., ]+|print\((['"][\w .-]*['"]|[\w.]+(\(\))?)?\)|[;\s])*$/;
export const PLAIN_NODE =
  /^\s*(console\.log\()?(require\((['"])(\.{0,2}[\w./@-]*\.json|os|path)\3\)|process)(\.[\w$]+|\[\d+\]|\[['"][\w-]+['"]\]|\(\))*\)?;?\s*$/;
const NETWORK_MODULE =
  /^(http\.server|SimpleHTTPServer|ftplib|telnetlib|smtpd|smtplib|webbrowser|poplib|imaplib|nntplib|xmlrpc.*|urllib.*|http\.client|socketserver|asyncio|twine)$/;

function ruleModule(call: Call, at: number, modules: Modules): Ruling {
  const module = call.argv[at + 1];
  if (module?.open !== null) return review('which module runs is known only at run time');
  const argv = call.argv.slice(at + 2);
  if (NETWORK_MODULE.test(module.text))
    return { verdict: 'deny', because: `python -m ${module.text} uses the network` };
  if (/^(timeit|code|pdb|idlelib|ensurepip)$/.test(module.text))
    return review(`python -m ${module.text} can run arbitrary code`);
  const judge = modules(module.text);
  return (judge ?? ownCode())({ ...call, name: module.text, argv });
}

/** Inline code is accepted only in a few plain forms. */
function ruleInline({ argv }: Call, at: number, plain: RegExp): Ruling {
  const code = argv[at];
  const isLast = at === argv.length - 1;
  if (isLast && code?.open === null && code.text.length <= 300 && plain.test(code.text))
    return FINE;
  return review('it runs code from the command line instead of a file');
}

/** A workspace file, run by its interpreter. */
export function ruleScript(call: Call, valued: readonly string[]): Ruling {
  const [script] = operandsOf(call.argv, valued);
  if (!script || script.text === '-') {
    return call.part.fed || !call.argv.some(({ text }) => text.startsWith('-'))
      ? review(`${call.name} runs code from its standard input`)
      : FINE;
  }
  const { part, at } = call;
  if (/^[a-z]+:\/\//i.test(script.start))
    return { verdict: 'deny', because: `${script.text} is on another machine` };
  return strictest([ruleCode(script, { folders: part.folders, at }), ownCode()(call)], FINE);
}

export const interpreter =
  (inline: readonly string[], plain: RegExp, valued: readonly string[] = []): Judge =>
  (call) => {
    if (isAboutItself(call)) return FINE;
    const at = call.argv.findIndex(({ text }) => inline.includes(text));
    const first = call.argv.findIndex(({ text }) => !text.startsWith('-'));
    if (at >= 0 && (first < 0 || at <= first)) return ruleInline(call, at + 1, plain);
    const loaded = call.argv.find(
      ({ text }, n) => valued.includes(call.argv[n - 1]?.text ?? '') && /^([/~]|data:)/.test(text),
    );
    if (loaded) return review(`${loaded.text} would be loaded before the program itself`);
    return ruleScript(call, valued);
  };

export const NODE_VALUED = [
  '-r',
  '--require',
  '--import',
  '--loader',
  '--experimental-loader',
  '--env-file',
  '-C',
  '--conditions',
  '--test-reporter',
  '--test-name-pattern',
  '--project',
  '-P',
  '-O',
];
export const node: Judge = (call) =>
  has(call, '--test') && call.argv.every(({ open }) => open !== 'unknown')
    ? ownCode()(call)
    : interpreter(['-e', '-p', '-pe', '--eval', '--print'], PLAIN_NODE, NODE_VALUED)(call);
