import { run } from 'node:test';

/**
 * Runs one test file and tells the parent how each test ended. One process per file, so that a
 * file that hangs, exits or breaks the process takes nothing else with it.
 */

/** What the parent is told, in the order of the file. */
export type SuiteMessage =
  | { readonly kind: 'queued' | 'done' | 'end' }
  | { readonly kind: 'passed'; readonly title: string }
  | { readonly kind: 'skipped'; readonly title: string; readonly because: string }
  | { readonly kind: 'failed'; readonly title: string; readonly because: string };

type Events = ReturnType<typeof run>;
type Event = Events extends AsyncIterable<infer One> ? One : never;

const [file = '', namePattern = ''] = process.argv.slice(2);

// Without a parent nobody reads the result.
process.on('disconnect', () => process.exit(1));
process.channel?.unref();

const above: string[] = [];
for await (const event of run({
  files: [file],
  isolation: 'none',
  ...(namePattern ? { testNamePatterns: new RegExp(namePattern) } : {}),
})) {
  for (const message of messagesOf(event)) process.send?.(message);
}
process.send?.({ kind: 'end' } satisfies SuiteMessage);

function messagesOf(event: Event): SuiteMessage[] {
  switch (event.type) {
    case 'test:enqueue':
      return [{ kind: 'queued' }];
    case 'test:complete':
      return [{ kind: 'done' }];
    case 'test:start':
      above.length = event.data.nesting;
      above.push(event.data.name);
      return [];
    case 'test:pass':
      return passed(event.data);
    case 'test:fail':
      return failed(event.data);
    case 'test:diagnostic':
      return strayError(event.data.message);
    default:
      return [];
  }
}

function passed(ending: Extract<Event, { type: 'test:pass' }>['data']): SuiteMessage[] {
  const title = titleOf(ending);
  const because = ending.skip ?? ending.todo;
  if (because !== undefined && because !== false) {
    return [{ kind: 'skipped', title, because: because === true ? 'not written yet' : because }];
  }
  if (ending.details.type === 'suite') return [];
  if (ending.name !== file) return [{ kind: 'passed', title }];
  return namePattern ? [] : [{ kind: 'failed', title: file, because: 'the file has no tests' }];
}

function failed(ending: Extract<Event, { type: 'test:fail' }>['data']): SuiteMessage[] {
  const { error } = ending.details;
  const isEcho = 'failureType' in error && error.failureType === 'subtestsFailed';
  if (isEcho) return [];
  if (ending.todo) return [{ kind: 'skipped', title: titleOf(ending), because: 'not written yet' }];

  const { cause } = error;
  const because = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause ?? error);
  return [{ kind: 'failed', title: titleOf(ending), because: withoutInternals(because) }];
}

function withoutInternals(stack: string): string {
  return stack.replace(/\n +at .*(node:internal|node:async_hooks|<anonymous>\)$).*/gm, '');
}

/** Work that fails after its test has ended is reported by Node as a mere remark. */
function strayError(message: string): SuiteMessage[] {
  if (!/^(Error|Warning): (A|Test) /.test(message)) return [];
  return [{ kind: 'failed', title: 'work that went on after its test', because: message }];
}

function titleOf({ name, nesting }: { name: string; nesting: number }): string {
  return [...above.slice(0, nesting), name].join(' › ');
}
