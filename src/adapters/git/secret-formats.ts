/** Patterns of well-known credentials. Every repetition is bounded: the text is hostile. */
export const FORMATS: Readonly<Record<string, RegExp>> = {
  'an AWS access key': /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/,
  'an AWS secret key':
    /aws.{0,20}(?:secret|key).{0,20}["'=:\s][A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/i,
  'a GitHub token': /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{50,255})\b/,
  'a GitLab token': /\bgl(?:pat|ptt|dt|rt|soat|ft|agent|cbt|imt)-[A-Za-z0-9_-]{20,}/,
  'an Anthropic key': /\bsk-ant-[A-Za-z0-9_-]{20,}/,
  'an OpenAI key': /\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{32,}/,
  'a Slack token': /\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-\d-[A-Za-z0-9-]{10,}/,
  'a Slack webhook': /hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9+/]{20,}/,
  'a Google key':
    /\bAIza[0-9A-Za-z_-]{35}\b|\bGOCSPX-[A-Za-z0-9_-]{20,}|\bya29\.[A-Za-z0-9_-]{20,}/,
  'a Stripe key': /\b[sr]k_live_[A-Za-z0-9]{16,}/,
  'an npm token': /\bnpm_[A-Za-z0-9]{36}\b/,
  'a PyPI token': /\bpypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{20,}/,
  'a SendGrid key': /\bSG\.[A-Za-z0-9_-]{16,100}\.[A-Za-z0-9_-]{16,}/,
  'a Hugging Face token': /\bhf_[A-Za-z0-9]{30,}\b/,
  'a DigitalOcean token': /\bdo[opr]_v1_[a-f0-9]{64}\b/,
  'an Azure storage key': /AccountKey=[A-Za-z0-9+/]{60,}={0,2}/,
  'a Telegram bot token': /\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b/,
  'a private key': /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/,
  'a JSON web token': /\beyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,}/,
  'a password in a URL':
    /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@$<{]{1,100}:(?![$<{*]|password@|x+@)[^\s@/$<{]{6,200}@[A-Za-z0-9]/,
};

const ASSIGNED =
  /(?:secret|token|passw(?:or)?d|passphrase|api[_-]?key|credential|private[_-]?key|access[_-]?key)[\w.-]{0,30}["']?\s{0,4}(?::=|=>|=|:)\s{0,4}["']([^\s"']{16,200})["']/gi;

/** A value that looks random and is named like a secret; only a guess. */
export function looksAssigned(text: string): boolean {
  for (const [, value = ''] of text.matchAll(ASSIGNED)) {
    if (/[${}<>()]/.test(value) || !/\d/.test(value) || !/[A-Za-z]/.test(value)) continue;
    if (bitsPerCharacter(value) >= 3.6) return true;
  }
  return false;
}

function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) {
    bits -= (count / text.length) * Math.log2(count / text.length);
  }
  return bits;
}
