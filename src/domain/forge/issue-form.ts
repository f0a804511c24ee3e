/** What an agent does with an issue: change the code, give advice, or find something out. */
const MODES = ['doing', 'advising', 'researching'] as const;
type Mode = (typeof MODES)[number];

interface IssueForm {
  /** `owner/name` where the code is; null is the repository of the issue. */
  readonly target: string | null;
  readonly mode: Mode;
}

/** Reads the fields of an issue form: a heading each, and the answer below it. */
export function issueForm(body: string): IssueForm {
  const target = answerTo(body, 'target repository');
  const mode = answerTo(body, 'mode')?.toLowerCase();
  const [, path] =
    /^`?(?:https?:\/\/[^/\s]+\/)?([\w.-]+\/[\w.-]+?)(?:\.git)?\/?`?$/.exec(target ?? '') ?? [];
  return { target: path ?? target, mode: MODES.find((each) => each === mode) ?? 'doing' };
}

/** The first line below the heading; null where nothing was answered. */
function answerTo(body: string, field: string): string | null {
  const lines = body.split(/\r?\n/).map((line) => line.trim());
  const at = lines.findIndex(
    (line) => line.replace(/^#{1,6}\s+/, '').toLowerCase() === field && line.startsWith('#'),
  );
  if (at === -1) return null;
  const answer = lines.slice(at + 1).find((line) => line !== '') ?? '';
  return answer === '' || answer.startsWith('#') || /^_no response_$/i.test(answer) ? null : answer;
}

/** The skill for work on an issue in this mode. */
export function skillInMode({ mode }: IssueForm): string {
  return { doing: 'implement', advising: 'advise', researching: 'research' }[mode];
}
