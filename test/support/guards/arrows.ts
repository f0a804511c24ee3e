import { posix } from 'node:path';
import { type Import, importsOf, placeOf } from '../syntax.ts';
import { isProduct, isTest, isTypeScript, type TreeFile } from '../tree.ts';

interface Rule {
  /** Our folders that may be imported, besides the folder itself. */
  readonly ours: readonly string[];
  readonly libraries: readonly string[];
  readonly node: 'any' | 'pure' | 'none';
}

const EVERYTHING = ['*'];
const inside = { libraries: [], node: 'none' } as const;
const dispatcher = ['domain', 'ports', 'board', 'queries', 'api'];
const outside = {
  ours: ['domain', 'ports', 'adapters/files'],
  libraries: [],
  node: 'any',
} as const;
const cell = { ...outside, ours: [...outside.ours, 'adapters/cell'] } as const;
const forge = {
  ...outside,
  ours: [...outside.ours, 'adapters/forge'],
  libraries: ['zod'],
} as const;

/** A folder under src/ or src/adapters/ exists only with a rule here that says what it may import. */
const RULES: Readonly<Record<string, Rule>> = {
  domain: { ours: [], ...inside },
  ports: { ours: ['domain'], ...inside },
  board: { ours: ['domain', 'ports'], libraries: [], node: 'pure' },
  worker: { ours: ['domain', 'ports'], libraries: [], node: 'pure' },
  api: { ours: [], libraries: ['zod'], node: 'none' },
  queries: { ours: ['domain', 'ports', 'board', 'api'], libraries: [], node: 'pure' },
  http: { ours: dispatcher, libraries: ['zod'], node: 'any' },
  mcp: {
    ours: dispatcher,
    libraries: ['zod', '@modelcontextprotocol/server', '@modelcontextprotocol/node'],
    node: 'any',
  },
  relay: { ours: ['domain', 'ports', 'adapters/forge'], libraries: [], node: 'any' },
  actions: { ours: ['domain', 'ports', 'board', 'queries'], libraries: [], node: 'any' },
  config: { ours: ['api', 'domain'], libraries: ['zod', 'yaml'], node: 'any' },
  cli: {
    ours: ['api', 'config', 'main'],
    libraries: ['commander', 'picocolors', 'yaml'],
    node: 'any',
  },
  main: { ours: EVERYTHING, libraries: [], node: 'any' },
  'adapters/files': { ours: [], libraries: [], node: 'any' },
  'adapters/sql': outside,
  'adapters/sqlite': {
    ...outside,
    ours: [...outside.ours, 'adapters/sql'],
    libraries: ['better-sqlite3'],
  },
  'adapters/postgres': {
    ...outside,
    ours: [...outside.ours, 'adapters/sql'],
    libraries: ['pg'],
  },
  'adapters/memory': { ...outside, ours: [...outside.ours, 'adapters/sql'] },
  'adapters/forge': { ...outside, libraries: ['zod'] },
  'adapters/github': forge,
  'adapters/gitea': forge,
  'adapters/local-forge': forge,
  'adapters/forge-emulator': { ours: [], libraries: ['zod'], node: 'any' },
  'adapters/sources': { ...forge, libraries: ['yaml', 'zod'] },
  'adapters/git': outside,
  'adapters/shell': { ...outside, libraries: ['unbash'] },
  'adapters/cell': outside,
  'adapters/egress': outside,
  'adapters/sandbox': cell,
  'adapters/containers': cell,
  'adapters/processes': cell,
  'adapters/claude': {
    ...outside,
    libraries: ['@anthropic-ai/claude-agent-sdk', 'yaml', 'zod'],
  },
  'adapters/command': outside,
  'adapters/acp': outside,
  'adapters/gateway': outside,
  'adapters/secrets': outside,
  'adapters/prompt-files': outside,
  'adapters/system': outside,
  'adapters/metrics': { ...outside, libraries: ['@prometheus-io/client'] },
};

/**
 * Modules of the domain whose constants the API and the CLI may import, so that a closed list is written once. They
 * import no other module at run time, so whoever reads a list loads one more file and not the domain.
 */
const LISTS: readonly string[] = [
  'src/domain/approval.ts',
  'src/domain/env.ts',
  'src/domain/forge/forge-kind.ts',
  'src/domain/project.ts',
  'src/domain/row.ts',
  'src/domain/run.ts',
  'src/domain/secret.ts',
  'src/domain/size.ts',
  'src/domain/task.ts',
  'src/domain/thread.ts',
  'src/domain/token.ts',
  'src/domain/tool-policy/verdict.ts',
];

/** What a use case may import from Node without reaching the outside: `*` is the whole module. */
const PURE_NODE: Readonly<Record<string, readonly string[]>> = {
  'node:assert': ['*'],
  'node:assert/strict': ['*'],
  'node:buffer': ['Buffer'],
  'node:crypto': ['createHash', 'createHmac', 'hash', 'timingSafeEqual'],
  'node:path': ['*'],
  'node:path/posix': ['*'],
  'node:util': ['*'],
};

const TEST_FOLDERS = [
  'contracts',
  'acceptance',
  'simulation',
  'e2e',
  'attacks',
  'live',
  'fixtures',
  'support',
] as const;

/** Each folder imports only what its rule names. */
export function arrows(files: readonly TreeFile[]): string[] {
  return files
    .filter((file) => isProduct(file) || isInsideTest(file))
    .flatMap((file) =>
      importsOf(file).flatMap((taken) => {
        const fault = faultOf(file, taken);
        return fault ? [`${placeOf(file, taken.node)}: ${fault}`] : [];
      }),
    );
}

/** A module that shares its lists with the API imports nothing else at run time. */
export function listsLoadNothing(files: readonly TreeFile[]): string[] {
  return files
    .filter(({ path }) => LISTS.includes(path))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ isType }) => !isType)
        .map(
          ({ specifier, node }) =>
            `${placeOf(file, node)}: a list that the API shares may not import ${specifier}`,
        ),
    );
}

/** A folder without a rule collects unrelated files. */
export function foldersHaveRules(files: readonly TreeFile[]): string[] {
  const faults = files.flatMap(({ path }) => {
    const [top, ...rest] = path.split('/');
    if (top === 'test') return rest.length > 1 ? unknownTestFolder(rest[0]) : [];
    if (top !== 'src' || path.endsWith('.json')) return [];
    if (rest.length === 1 || (rest[0] === 'adapters' && rest.length === 2)) {
      return [`${path}: a file belongs in a folder that has a rule`];
    }
    const folder = folderOf(path);
    return RULES[folder] ? [] : [`src/${folder}/: this folder has no rule in the table of arrows`];
  });
  return [...new Set(faults)];
}

/** Specs of the inner folders follow their rules too; other tests may combine whatever they need. */
function isInsideTest(file: TreeFile): boolean {
  return isTest(file) && isTypeScript(file) && /^src\/(domain|ports)\//.test(file.path);
}

function faultOf(file: TreeFile, taken: Import): string | undefined {
  const from = folderOf(file.path);
  const rule = RULES[from];
  if (!rule) return undefined;

  const { specifier } = taken;
  if (specifier.startsWith('.')) return faultOfOurs(file, from, taken);
  if (isTest(file)) return undefined;
  if (specifier.startsWith('node:')) return faultOfNode(from, rule, taken);

  const library = packageOf(specifier);
  return rule.libraries.includes(library) ? undefined : `${from} may not import ${library}`;
}

function faultOfOurs(file: TreeFile, from: string, taken: Import): string | undefined {
  const { specifier } = taken;
  const target = posix.join(posix.dirname(file.path), specifier);
  if (target.startsWith('test/') && isTest(file)) return undefined;
  if (!target.startsWith('src/')) return `${from} may not import ${target}, which is not shipped`;

  if ((from === 'api' || from === 'cli') && LISTS.includes(target)) return faultOfList(from, taken);
  const to = folderOf(target);
  const may = RULES[from]?.ours ?? [];
  if (to === from || may === EVERYTHING || may.includes(to)) return undefined;
  return `${from} may not import ${to}`;
}

function faultOfList(from: string, { names, isType }: Import): string | undefined {
  const others = isType ? names : names.filter((name) => !/^[A-Z][A-Z_]+$/.test(name));
  if (others.length === 0) return undefined;
  return `${from} may import only the constants of a list of the domain, not ${others.join(', ')}`;
}

function faultOfNode(from: string, rule: Rule, { specifier, names }: Import): string | undefined {
  if (rule.node === 'any') return undefined;
  if (rule.node === 'none') return `${from} may not import ${specifier}`;

  const pure = PURE_NODE[specifier] ?? [];
  const impure = names.filter((name) => !pure.includes('*') && !pure.includes(name));
  if (impure.length === 0) return undefined;
  return `${from} may not import ${impure.join(', ')} from ${specifier}: it belongs behind a port`;
}

function folderOf(path: string): string {
  const [, first = '', second = ''] = path.split('/');
  return first === 'adapters' ? `adapters/${second}` : first;
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function unknownTestFolder(folder: string | undefined): string[] {
  if (TEST_FOLDERS.some((known) => known === folder)) return [];
  return [`test/${folder}/: tests live in ${TEST_FOLDERS.join(', ')}`];
}
