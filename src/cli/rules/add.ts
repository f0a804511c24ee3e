import type { CommandSpec } from '../command.ts';
import { RULE_OPTIONS, ruleFromOptions } from './rule-options.ts';

export const RULES_ADD: CommandSpec = {
  summary: 'add a rule that accepts or denies commands',
  options: [
    ...RULE_OPTIONS,
    { flags: '-p, --project <project>', about: 'only in this project (default: everywhere)' },
  ],
  examples: [
    "guildhall rules add --verdict deny --program 'terraform' --note 'ask in #infra'",
    "guildhall rules add --verdict accept --project shop --command 'rm -r ./temp'",
    "guildhall rules add --verdict deny --path '*/migrations/*'",
  ],
  run: async ({ client, out }, input) => {
    const body = ruleFromOptions(input, input.text('project') ?? null);
    const rule = await client().call('setRule', { body });
    out.answer(rule, ({ id, verdict }) => `added ${id}: ${verdict}`);
  },
};
