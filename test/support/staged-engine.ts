import { writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { findEngine } from '../../src/adapters/containers/engine.ts';
import { containerNeeds } from './container-kind.ts';

interface Stage {
  /** A part of the name or id of the container that is staged. */
  readonly container: string;
  /** Shell commands to run before or after a verb of the engine; `kill -9 $PPID` kills the caller. */
  readonly before?: Readonly<Record<string, string>>;
  readonly after?: Readonly<Record<string, string>>;
}

/**
 * A container engine that can be interfered with at every step. It is a program of the same name, for processes
 * with its folder first on the PATH; it passes all other calls on. The id of the container is in `<folder>/id`
 * once it has one.
 */
export function stageEngine(folder: string, { container, before = {}, after = {} }: Stage) {
  const engine = findEngine(containerNeeds());
  if (engine === undefined) throw new Error('there is no engine');
  const program = join(folder, engine.kind);
  const steps = (of: Readonly<Record<string, string>>) =>
    Object.entries(of).map(([verb, act]) => `${verb}) ${act} ;;`);
  const script = `#!/bin/sh
here='${folder}' real='${engine.program}' verb=
for word in "$@"; do case $word in --runtime|runc) ;; *) verb=$word; break ;; esac; done
id=$(cat "$here/id" 2>/dev/null)
case " $* " in *'${container}'*) ;; *" \${id:-no id yet} "*) ;; *) exec "$real" "$@" ;; esac
case $verb in
${steps(before).join('\n')}
esac
if [ $verb = exec ]; then "$real" "$@"; code=$?
else said=$("$real" "$@"); code=$?; fi
[ $verb != create ] || echo "$said" > "$here/id"
case $verb in
${steps(after).join('\n')}
esac
[ $verb = exec ] || echo "$said"
exit $code
`;
  writeFileSync(program, script, { mode: 0o755 });
  return { program, path: [dirname(program), process.env['PATH'] ?? ''].join(delimiter) };
}
