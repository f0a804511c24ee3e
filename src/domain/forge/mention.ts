/** What a comment asks of the hall. */
type Mention =
  /** `@hall fixer-dev` or `@hall agent: fixer-dev`. */
  | { readonly is: 'agent'; readonly slug: string }
  /** The hall was named without an agent. */
  | { readonly is: 'plain' };

export interface Command {
  readonly name: (typeof COMMANDS)[number];
  /** The rest of its line. */
  readonly rest: string;
}

const COMMANDS = ['why', 'cancel', 'retry', 'approve', 'handover', 'handback'] as const;

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/**
 * Finds the first mention of the hall's account. The word after it is an agent if it is written as
 * `agent: name`, is known, or has the form of a slug with a hyphen, so that `@hall please look` names no agent.
 */
export function mentionIn(
  body: string,
  login: string,
  isKnown: (slug: string) => boolean,
): Mention | undefined {
  const name = login.replace(/\[bot\]$/, '').replace(/[^a-zA-Z0-9_.-]/g, '');
  const place = new RegExp(`(?:^|[^\\w@/.-])@${escaped(name)}(?:\\[bot\\])?(?![\\w-])`, 'i');
  const found = place.exec(withoutQuotes(body));
  if (!found) return undefined;
  const after = withoutQuotes(body).slice(found.index + found[0].length);
  const [, isNamed, word = ''] = /^[ \t,:]*(agent:[ \t]*)?([^\s,;!?]*)/i.exec(after) ?? [];
  const slug = word.replace(/[.:]+$/, '');
  const isAgent = SLUG.test(slug) && (isNamed || isKnown(slug) || slug.includes('-'));
  return isAgent ? { is: 'agent', slug } : { is: 'plain' };
}

/** A command is a line of its own that begins with its name. */
export function commandIn(body: string): Command | undefined {
  for (const line of withoutQuotes(body).split('\n')) {
    const [, word, rest = ''] = /^\/([a-z-]+)(?:[ \t]+(.*))?$/.exec(line.trim()) ?? [];
    const name = COMMANDS.find((command) => command === word);
    if (name) return { name, rest: rest.trim() };
  }
  return undefined;
}

/** Quoted lines and code were written by someone else or mean nothing to the hall. */
function withoutQuotes(body: string): string {
  return body
    .replace(/^(```|~~~)[^\n]*\n[\s\S]*?(?:^\1[^\n]*$|$(?![\s\S]))/gm, '')
    .replace(/`[^`\n]*`/g, '')
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('>'))
    .join('\n');
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\-]/g, '\\$&');
}
