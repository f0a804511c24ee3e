/** Text of agents and people: it mentions nobody and hides no marker of the hall. */
export function withoutMentions(text: string): string {
  return text.replaceAll('@', '@\u200b').replaceAll('<!--', '<\u200b!--');
}
