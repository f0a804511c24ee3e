import ts from 'typescript';

/**
 * Switches over a union that omit a member and have no default. The compiler notices this only where the
 * function returns a value, and the linter cannot see through `Extract` and `Exclude`.
 */
export function openSwitches(program: ts.Program): string[] {
  const checker = program.getTypeChecker();
  return program
    .getSourceFiles()
    .filter(({ fileName }) => !fileName.includes('/node_modules/'))
    .flatMap((file) =>
      switchesOf(file).flatMap((statement) => {
        const missing = membersLeftOut(checker, statement);
        if (missing.length === 0) return [];
        const { line } = file.getLineAndCharacterOfPosition(statement.getStart());
        return [`${file.fileName}:${line + 1}: the switch does not handle ${missing.join(', ')}`];
      }),
    );
}

function switchesOf(node: ts.Node): ts.SwitchStatement[] {
  const found: ts.SwitchStatement[] = ts.isSwitchStatement(node) ? [node] : [];
  ts.forEachChild(node, (child) => {
    found.push(...switchesOf(child));
  });
  return found;
}

function membersLeftOut(checker: ts.TypeChecker, { expression, caseBlock }: ts.SwitchStatement) {
  const { clauses } = caseBlock;
  if (clauses.some((clause) => ts.isDefaultClause(clause))) return [];

  const type = checker.getTypeAtLocation(expression);
  const members = type.isUnion() ? type.types : [];
  if (!members.every((member) => isSingle(member))) return [];

  const handled = clauses
    .filter((clause) => ts.isCaseClause(clause))
    .map((clause) => checker.typeToString(checker.getTypeAtLocation(clause.expression)));
  return members
    .map((member) => checker.typeToString(member))
    .filter((member) => !handled.includes(member));
}

/** A type with one value: a string, a number, true, null. */
function isSingle(type: ts.Type): boolean {
  const single =
    ts.TypeFlags.Literal | ts.TypeFlags.UniqueESSymbol | ts.TypeFlags.Null | ts.TypeFlags.Undefined;
  return (type.flags & single) !== 0;
}
