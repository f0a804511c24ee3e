import ts from 'typescript';
import { TASK_STATES } from '../../../src/domain/task.ts';
import { nodesOf, placeOf } from '../syntax.ts';
import { isProduct, isTypeScript, type TreeFile } from '../tree.ts';

const STATES: readonly string[] = TASK_STATES;

const COMPARES = [
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
];

/**
 * Where a fault may be caught: around a run, a chore, a request and a command, around a commit to restore the
 * memory, and in adapters to translate an error of a library. Elsewhere an exception is a bug and propagates.
 */
const MAY_CATCH = [
  /^src\/adapters\//,
  /^src\/(http|mcp|cli|main|config)\//,
  /^src\/board\/(maintenance|recruit|reconcile-pull-requests|sweep-sessions|look-at-forges|update-forges|forge-fault|sync-sources|secret-store|watch-credentials)(\.ts$|\/)/,
  /^src\/board\/(writer|clustered-hall|hall)\.ts$/,
  /^src\/worker\/(work-loop|machine-cleaner|clean-machine)\.ts$/,
  // A transcript that cannot be stored does not end the run.
  /^src\/worker\/transcript\.ts$/,
];

/** Only domain/ compares task states with literals; other folders use its predicates. */
export function statesAreComparedInDomain(files: readonly TreeFile[]): string[] {
  return files
    .filter((file) => isProduct(file) && !file.path.startsWith('src/domain/'))
    .flatMap((file) =>
      [...nodesOf(file)]
        .filter((node) => comparesState(node) || switchesOnState(node) || looksUpState(node))
        .map(
          (node) => `${placeOf(file, node)}: compare the task's state with a predicate of domain/`,
        ),
    );
}

/** The environment is read in one place, so the configuration has all settings. */
export function environmentIsReadInConfig(files: readonly TreeFile[]): string[] {
  return files
    .filter((file) => file.path.startsWith('src/') && isTypeScript(file))
    .filter((file) => !file.path.startsWith('src/config/'))
    .flatMap((file) =>
      [...nodesOf(file)]
        .filter((node) => readsEnvironment(node))
        .map((node) => `${placeOf(file, node)}: only src/config/ reads the environment`),
    );
}

const NAMED_COMMAND =
  /guildhall (agents|approvals|backup|config|doctor|drain|init|invokers|project|restore|resume|rules|secrets|start|stop|task|thread|token|worker)\b/;

/** The CLI prints the commands in sentences of the hall with the options of its user, so one place writes them. */
export function commandsAreNamedInOnePlace(files: readonly TreeFile[]): string[] {
  return files
    .filter((file) => isProduct(file))
    .flatMap((file) => {
      const named = file.path.startsWith('src/cli/') ? /npx guildhall/ : NAMED_COMMAND;
      return [...nodesOf(file)]
        .filter((node) => file.path !== 'src/cli/command-name.ts' && named.test(textIn(node)))
        .map((node) => `${placeOf(file, node)}: name the command with operatorCommand()`);
    });
}

function textIn(node: ts.Node): string {
  return ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) ? node.text : '';
}

/** Facts about the process, which are the same for every command that runs in it. */
const PROCESS_FACTS = ['pid', 'versions', 'execPath', 'platform', 'arch', 'kill'];

/** Commands get streams, folder and signals as arguments, so several can run in one process. */
export function processIsUsedInMain(files: readonly TreeFile[]): string[] {
  return files
    .filter((file) => isProduct(file) && /^src\/(cli|config|main)\//.test(file.path))
    .filter(({ path }) => path !== 'src/cli/main.ts' && path !== 'src/config/read-environment.ts')
    .flatMap((file) =>
      [...nodesOf(file)]
        .filter((node) => usesProcess(node))
        .map((node) => `${placeOf(file, node)}: only src/cli/main.ts uses the process itself`),
    );
}

export function nothingUsesTheConsole(files: readonly TreeFile[]): string[] {
  return files
    .filter((file) => isProduct(file))
    .flatMap((file) =>
      [...nodesOf(file)]
        .filter(
          (node) => ts.isPropertyAccessExpression(node) && isNamed(node.expression, 'console'),
        )
        .map(
          (node) =>
            `${placeOf(file, node)}: write to the streams in src/cli/, and to the log port elsewhere`,
        ),
    );
}

export function faultsAreCaughtInFewPlaces(files: readonly TreeFile[]): string[] {
  return files
    .filter((file) => isProduct(file) && !MAY_CATCH.some((place) => place.test(file.path)))
    .flatMap((file) =>
      [...nodesOf(file)]
        .filter((node) => ts.isCatchClause(node) || isCatchCall(node))
        .map((node) => `${placeOf(file, node)}: faults may not be caught here`),
    );
}

/** A worker may be root, and an agent may have just replaced a folder with a link. */
export function ownersAreSetWithoutLinks(files: readonly TreeFile[]): string[] {
  return files
    .filter((file) => isProduct(file))
    .flatMap((file) =>
      [...nodesOf(file)]
        .filter((node) => ts.isIdentifier(node) && /^chown(Sync)?$/.test(node.text))
        .map((node) => `${placeOf(file, node)}: use lchown, which does not follow links`),
    );
}

/** A restore moves files of SQLite that are on disk already, and `hall.json` means nothing after a power cut. */
const MAY_RENAME = [
  'src/adapters/files/write-durably.ts',
  'src/adapters/sqlite/backup.ts',
  'src/main/hall-file.ts',
];

/** A file that is renamed before its content is on disk is empty after a power cut. */
export function filesAreReplacedDurably(files: readonly TreeFile[]): string[] {
  return files
    .filter((file) => isProduct(file) && !MAY_RENAME.includes(file.path))
    .flatMap((file) =>
      [...nodesOf(file)]
        .filter((node) => ts.isIdentifier(node) && /^rename(Sync)?$/.test(node.text))
        .filter((node) => !isKey(node))
        .map((node) => `${placeOf(file, node)}: use writeDurably or moveDurably`),
    );
}

/** The name of a field in an object that is written out is no call; its value would be seen by itself. */
function isKey(node: ts.Node): boolean {
  return ts.isPropertyAssignment(node.parent) && node.parent.name === node;
}

/** An empty catch hides the fault; a comment in it changes nothing. */
export function noCatchIsEmpty(files: readonly TreeFile[]): string[] {
  return files
    .filter((file) => isTypeScript(file))
    .flatMap((file) =>
      [...nodesOf(file)]
        .filter((node) => ts.isCatchClause(node) && node.block.statements.length === 0)
        .map((node) => `${placeOf(file, node)}: an empty catch`),
    );
}

function comparesState(node: ts.Node): boolean {
  if (!ts.isBinaryExpression(node) || !COMPARES.includes(node.operatorToken.kind)) return false;
  const sides = [node.left, node.right];
  return sides.some((side) => isState(side)) && sides.some((side) => isStateWord(side));
}

function switchesOnState(node: ts.Node): boolean {
  if (!ts.isSwitchStatement(node) || !isState(node.expression)) return false;
  return node.caseBlock.clauses.some(
    (clause) => ts.isCaseClause(clause) && isStateWord(clause.expression),
  );
}

/** `['claimed', 'running'].includes(task.state)` */
function looksUpState(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { expression: list, name } = node.expression;
  return (
    name.text === 'includes' &&
    ts.isArrayLiteralExpression(list) &&
    list.elements.some((element) => isStateWord(element)) &&
    node.arguments.some((argument) => isState(argument))
  );
}

/** `state`, `task.state`, `task.state.is`, `row.status` and the like. */
function isState(node: ts.Expression): boolean {
  const names = node.getText().split(/\??\.|[()[\]]/);
  return names.slice(-2).some((name) => /^(state|status|taskState)$/.test(name));
}

function isStateWord(node: ts.Expression): boolean {
  return ts.isStringLiteralLike(node) && STATES.includes(node.text);
}

function readsEnvironment(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) {
    return node.name.text === 'env' && isNamed(node.expression, 'process');
  }
  if (ts.isElementAccessExpression(node)) {
    return isNamed(node.expression, 'process');
  }
  return ts.isImportDeclaration(node) && /['"](node:)?process['"]/.test(node.getText());
}

function usesProcess(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) {
    return isNamed(node.expression, 'process') && !PROCESS_FACTS.includes(node.name.text);
  }
  return ts.isCallExpression(node) && node.arguments.some((each) => isNamed(each, 'process'));
}

function isCatchCall(node: ts.Node): boolean {
  return (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    node.expression.name.text === 'catch'
  );
}

function isNamed(node: ts.Expression, name: string): boolean {
  return ts.isIdentifier(node) && node.text === name;
}
