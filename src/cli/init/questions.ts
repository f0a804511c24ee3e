import { createInterface } from 'node:readline/promises';
import type { Cli } from '../command.ts';

/** Asks the person at the terminal. */
export interface Questions extends Disposable {
  /** The answer, or the default on an empty line and where no person is there to ask. */
  ask(question: string, preset: string): Promise<string>;
  /** The same, asked again until the answer is one of the choices. */
  choose<T extends string>(question: string, choices: readonly T[], preset: T): Promise<T>;
}

export function openQuestions({ stdin, stderr }: Cli, isAsking: boolean): Questions {
  const input = isAsking ? stdin() : undefined;
  const lines = input && createInterface({ input, terminal: false });
  const answers = lines?.[Symbol.asyncIterator]();

  async function ask(question: string, preset: string): Promise<string> {
    if (!answers) return preset;
    stderr.write(`${question} [${preset}] `);
    const { value, done } = await answers.next();
    // An unfinished answer ends with Ctrl-D.
    if (done) stderr.write('\n');
    return (done ? '' : value.trim()) || preset;
  }

  return {
    ask,
    async choose(question, choices, preset) {
      for (;;) {
        const answer = await ask(question, preset);
        const chosen = choices.find((choice) => choice === answer);
        if (chosen !== undefined) return chosen;
        stderr.write(`${answer} is not one of ${choices.join(', ')}\n`);
      }
    },
    [Symbol.dispose]: () => lines?.close(),
  };
}

/** A script or a pipe cannot answer. */
export function isTerminal({ stdin }: Pick<Cli, 'stdin'>): boolean {
  return (stdin() as { readonly isTTY?: boolean }).isTTY === true;
}
