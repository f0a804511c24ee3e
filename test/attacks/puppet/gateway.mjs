// What a puppet tries at the only door it has. Prints what it was answered, never what it knows.
const [own, other] = process.argv.slice(2);
const base = process.env.ANTHROPIC_BASE_URL;
const call = JSON.stringify({
  model: 'claude-sonnet-4-6',
  max_tokens: 10,
  stream: false,
  messages: [{ role: 'user', content: 'hello' }],
});

async function ask(title, path, { token = own, method = 'POST', headers = {}, body = call } = {}) {
  const answer = await fetch(base + path, {
    method,
    headers: { 'x-api-key': token, 'content-type': 'application/json', ...headers },
    ...(method === 'GET' ? {} : { body }),
    signal: AbortSignal.timeout(300_000),
  }).catch((fault) => ({ status: `none (${fault.message})`, text: async () => '' }));
  await answer.text();
  process.stdout.write(`GATE ${title}: ${answer.status}\n`);
}

if (other === 'spend') {
  await ask('own', '/v1/messages', { headers: { 'x-guildhall-usage': '0', 'x-guildhall-fence': '999', 'x-guildhall-run': 'r-1' } });
} else {
  await ask('own', '/v1/messages');
  await ask('no token', '/v1/messages', { token: 'nothing' });
  if (other !== undefined) await ask('token of another run', '/v1/messages', { token: other });
  for (const path of [
    '/v1/board', '/v1/approvals', '/v1/tokens', '/v1/claims', '/v1/runs/r-1/brief', '/v1/messages/../board',
    '/v1/messages/%2e%2e/board', '//v1/board', '/v1/messages/batches', '/v1/files', '/gateway/v1/messages', '/v1/organizations',
  ]) {
    await ask(`GET ${path}`, path, { method: 'GET', headers: { authorization: `Bearer ${own}` } });
    await ask(`POST ${path}`, path, { headers: { authorization: `Bearer ${own}` } });
  }
}
