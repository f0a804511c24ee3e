import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { Script } from './script.ts';

/** A script with mistakes; the message lists all of them with their lines. */
export class ScriptRefused extends Error {
  override readonly name = 'ScriptRefused';
}

/** Reads a script from YAML. `file` is its name in messages. */
export function readScript(text: string, file = 'the script'): Script {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line);
  if (document.errors.length > 0) {
    const faults = document.errors.map(
      ({ pos, message }) => `${file}:${lineAt(pos[0])}: ${message}`,
    );
    throw new ScriptRefused(faults.join('\n'));
  }
  const parsed = Script.safeParse(document.toJS());
  if (parsed.success) return parsed.data;
  const mistakes = parsed.error.issues.map(({ path, message }) => {
    const line = lineAt(offsetOf(document, path));
    return `${file}:${line}: ${spell(path)} ${message}`;
  });
  throw new ScriptRefused(mistakes.join('\n'));
}

/** A missing field is reported where its parent begins. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let depth = path.length; depth > 0; depth -= 1) {
    const node = document.getIn(path.slice(0, depth), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function spell(path: readonly PropertyKey[]): string {
  const spelt = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return spelt.join('').replace(/^\./, '') || 'the script';
}
