import type { Environment } from '../../config/variable-references.ts';
import { ISOLATIONS } from '../../domain/project.ts';
import { InvalidUsage } from '../invalid-usage.ts';
import type { ParsedInput } from '../parsed-input.ts';
import type { Chosen } from './config-text.ts';
import type { Check, FoundCommands } from './found-commands.ts';
import type { Questions } from './questions.ts';

interface SetupNeeds {
  readonly found: FoundCommands;
  readonly input: ParsedInput;
  readonly questions: Questions;
  readonly environment: Environment;
}

type Setup = Required<Pick<Chosen, 'checks' | 'setup' | 'hosts' | 'payer' | 'isolation'>>;

const NONE = 'none';
const BEST = 'best';

/** Asks what no option says: the checks, who pays, and the isolation. */
export async function askSetup({
  found,
  input,
  questions,
  environment,
}: SetupNeeds): Promise<Setup> {
  const checks = await chooseChecks(found, input, questions);
  const variable =
    input.text('credential') ?? (await questions.ask(CREDENTIAL, 'ANTHROPIC_API_KEY'));
  if (variable !== NONE && !/^[A-Z_][A-Z0-9_]*$/.test(variable)) {
    // It may be the key itself, so it is not repeated.
    throw new InvalidUsage(
      'name the environment variable that holds the key, such as ANTHROPIC_API_KEY, not the key',
    );
  }
  const kinds = [BEST, ...ISOLATIONS];
  const isolation =
    input.text('isolation') ??
    (await questions.choose(`Isolation of the agents (${kinds.join(', ')}):`, kinds, BEST));
  return {
    checks,
    setup: found.setup,
    hosts: found.hosts,
    payer: variable === NONE ? null : { handle: environment['USER'] || 'operator', variable },
    isolation: isolation === BEST ? null : isolation,
  };
}

const CREDENTIAL = `Environment variable with the API key that pays for the model, or ${NONE}:`;

/** Of those found only the first is the default: each one more has to be green before anything merges. */
async function chooseChecks(
  { checks }: FoundCommands,
  input: ParsedInput,
  questions: Questions,
): Promise<readonly Check[]> {
  if (input.choice('checks') === false) return [];
  const typed = input.list('check');
  if (typed) return typed.map((run) => checkFor(run, checks));
  const [first, ...others] = checks.map(({ run }) => run);
  const also = others.length > 0 ? ` (also found: ${others.join(', ')})` : '';
  const question = `Checks that a branch has to pass, separated by commas, or ${NONE}${also}:`;
  const answer = await questions.ask(question, first ?? NONE);
  if (answer === NONE) return [];
  return answer
    .split(',')
    .map((run) => run.trim())
    .filter((run) => run !== '')
    .map((run) => checkFor(run, checks));
}

function checkFor(run: string, found: readonly Check[]): Check {
  const name = run
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return found.find((check) => check.run === run) ?? { name: name || 'check', run };
}
