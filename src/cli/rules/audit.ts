import { DECIDERS, VERDICTS } from '../../domain/tool-policy/verdict.ts';
import type { Cli, CommandSpec } from '../command.ts';
import { type ListPage, MORE_HINT, PAGE_OPTIONS, readPages, reportPartialList } from '../pages.ts';
import { type ParsedInput, parseInput } from '../parsed-input.ts';
import { DECISION_COLUMNS, type Decision } from './columns.ts';

export const RULES_AUDIT: CommandSpec = {
  summary: 'list decisions about agent commands, newest first',
  options: [
    { flags: '-p, --project <project>', about: 'only this project' },
    { flags: '--verdict <verdict>', about: 'only this verdict', choices: VERDICTS },
    {
      flags: '--by <decider>',
      about: 'only decisions made in this way',
      choices: DECIDERS,
    },
    { flags: '--run <run>', about: 'only this run, such as r-40' },
    { flags: '--since <time>', about: 'from this time on, such as 2026-03-01T12:00:00Z' },
    { flags: '--until <time>', about: 'before this time' },
    ...PAGE_OPTIONS,
  ],
  examples: [
    'guildhall rules audit --verdict deny --by person --since 2026-03-01T00:00:00Z',
    'guildhall rules audit --project shop --all --json',
  ],
  run: async (cli, input) => {
    const listed = await find(cli, input);
    const { rows: decisions, next } = listed;
    cli.out.answer({ decisions, next }, () =>
      cli.out.table(DECISION_COLUMNS, decisions, 'no decisions'),
    );
    reportPartialList(listed, cli.out, MORE_HINT);
  },
};

function find({ client }: Cli, input: ParsedInput): Promise<ListPage<Decision>> {
  const filter = parseInput({
    project: input.text('project'),
    verdict: input.text('verdict') as (typeof VERDICTS)[number] | undefined,
    by: input.text('by') as (typeof DECIDERS)[number] | undefined,
    run: input.text('run'),
    since: input.text('since'),
    until: input.text('until'),
  });
  return readPages(input, async (page) => {
    const answer = await client().call('listDecisions', { query: { ...filter, ...page } });
    return { rows: answer.decisions, next: answer.next };
  });
}
