import ts from 'typescript';

/**
 * Promises that are not awaited, found with the compiler's types: the linter knows only promises whose type it
 * can infer without reading the libraries.
 */
export function floatingPromises(program: ts.Program): string[] {
  const checker = program.getTypeChecker();
  return program
    .getSourceFiles()
    .filter(({ fileName }) => !fileName.includes('/node_modules/'))
    .flatMap((file) =>
      statementsOf(file)
        .filter(({ expression }) => isPromise(checker, expression) && !isDealtWith(expression))
        .map((statement) => {
          const { line } = file.getLineAndCharacterOfPosition(statement.getStart());
          return `${file.fileName}:${line + 1}: this promise is not awaited`;
        }),
    );
}

function statementsOf(node: ts.Node): ts.ExpressionStatement[] {
  const found: ts.ExpressionStatement[] = ts.isExpressionStatement(node) ? [node] : [];
  ts.forEachChild(node, (child) => {
    found.push(...statementsOf(child));
  });
  return found;
}

function isPromise(checker: ts.TypeChecker, expression: ts.Expression): boolean {
  const type = checker.getTypeAtLocation(expression);
  const parts = type.isUnion() ? type.types : [type];
  return parts.some((part) => {
    const then = checker.getPropertyOfType(part, 'then');
    return then !== undefined && checker.getTypeOfSymbol(then).getCallSignatures().length > 0;
  });
}

function isDealtWith(expression: ts.Expression): boolean {
  if (ts.isBinaryExpression(expression)) return true;
  if (!ts.isCallExpression(expression)) {
    return ts.isAwaitExpression(expression) || ts.isVoidExpression(expression);
  }
  if (isTestCall(expression)) return true;
  if (!ts.isPropertyAccessExpression(expression.expression)) return false;

  const { name, expression: before } = expression.expression;
  if (name.text === 'catch') return expression.arguments.length > 0;
  if (name.text === 'then') return expression.arguments.length > 1;
  return name.text === 'finally' && isDealtWith(before);
}

/** The runner waits for them. */
function isTestCall({ expression }: ts.CallExpression): boolean {
  return /^(describe|it|suite|test)(\.(only|skip|todo))?$/.test(expression.getText());
}
