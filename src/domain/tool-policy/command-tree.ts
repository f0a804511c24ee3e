import { lineOf, type ParsedCommand, type Part } from '../parsed-command.ts';

/** One part per line, indented by depth, with the constructs that enclose it. */
export function commandTree({ parts }: ParsedCommand): readonly string[] {
  return parts.map((part) => {
    const depth = '  '.repeat(part.within.length);
    const inside = part.within.length > 0 ? `${part.within.at(-1)}: ` : '';
    return `${depth}${inside}${lineOf(part)}${redirected(part)}`;
  });
}

const SIGN = { read: '<', write: '>', both: '<>' } as const;

function redirected({ redirects }: Part): string {
  return redirects.map(({ way, target }) => ` ${SIGN[way]} ${target.text}`).join('');
}
