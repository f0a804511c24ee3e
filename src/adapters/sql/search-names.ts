import { hash } from 'node:crypto';

/*
 * Branches and addresses are found as a whole, by one word each in the same index. The word begins with
 * a private-use character, which no word of a text contains, and is short whatever the name.
 */

export function branchWord(branch: string): string {
  return `\ue000B${digest(branch)}`;
}

/** Ignores what differs between two copies of the same address: scheme, case of the host, comment, last slash. */
export function linkWord(url: string): string {
  return `\ue000U${digest(plainLink(url))}`;
}

/** The web addresses in a text, without the punctuation of the sentence around them. */
export function linksIn(text: string): readonly string[] {
  return (text.match(WEB_ADDRESS) ?? []).map((url) => url.replace(/[.,;:!?)\]}*_]+$/, ''));
}

const WEB_ADDRESS = /https?:\/\/[^\s<>"'`|\\]+/gi;

function plainLink(text: string): string {
  const trimmed = text.trim();
  const url = /^https?:/i.test(trimmed) ? URL.parse(trimmed) : null;
  if (!url) return trimmed;
  // Some trackers have the issue itself after the #.
  const place = url.hash.startsWith('#/') ? url.hash : '';
  return `${url.host}${url.pathname.replace(/\/+$/, '')}${url.search}${place}`;
}

function digest(name: string): string {
  return hash('sha256', name, 'hex').toUpperCase();
}
