import type { Cli } from '../command.ts';
import { InvalidUsage } from '../invalid-usage.ts';
import type { ParsedInput } from '../parsed-input.ts';
import { type RecognisedForge, recognise, remoteOf } from './forge-remote.ts';
import type { Questions } from './questions.ts';

interface Choice {
  readonly from: string;
  readonly input: ParsedInput;
  readonly questions: Questions;
  readonly isAsking: boolean;
}

/** The forge that the hall follows; null works on a clone. A person is asked; a script has to say so. */
export async function chooseForge(
  { environment, out }: Cli,
  { from, input, questions, isAsking }: Choice,
): Promise<RecognisedForge | null> {
  const wish = input.choice('forge');
  const remote = wish === false ? undefined : await remoteOf(from, environment);
  if (!remote) return wish === true ? refuse(from) : null;
  const place = `${remote.url}/${remote.path}`;
  if (wish === undefined && !isAsking) {
    if (!out.json) out.say(`it is on ${place}: to follow its issues there, add --forge`);
    return null;
  }
  const answer = wish ? 'yes' : await questions.choose(question(place), ['yes', 'no'], 'yes');
  if (answer === 'no') return null;
  return (await recognise(remote)) ?? refuse(place);
}

function question(place: string): string {
  return `It is on ${place}. Follow its issues and pull requests there (yes), or work on a clone (no)?`;
}

function refuse(place: string): never {
  throw new InvalidUsage(
    `${place} is not on GitHub, Gitea or Forgejo, as far as this machine sees: leave out --forge`,
  );
}
