import { z } from 'zod';
import { ForgeFailed } from '../../ports/forge.ts';
import { createForgeClient, messageIn } from '../forge/client.ts';
import { parsed } from '../forge/parse.ts';
import { apiUrlOf, HEADERS } from './github.ts';

const CreatedApp = z.object({
  id: z.number(),
  slug: z.string(),
  html_url: z.string(),
  pem: z.string(),
  webhook_secret: z.string().nullable(),
});

/** An App that was just made, with what only this answer tells. */
interface ConvertedApp {
  readonly id: number;
  readonly slug: string;
  readonly url: string;
  readonly key: string;
  readonly webhookSecret: string | null;
}

/** Exchanges the code of a confirmed manifest, which works once and within an hour. */
export async function convertAppManifest(url: string, code: string): Promise<ConvertedApp> {
  const client = createForgeClient({
    name: 'GitHub',
    baseUrl: apiUrlOf(url),
    headers: HEADERS,
    now: Date.now,
    authorize: async () => null,
  });
  const path = `/app-manifests/${encodeURIComponent(code)}/conversions`;
  const { status, body } = await client.call({ method: 'POST', path });
  if (status !== 201) {
    throw new ForgeFailed(
      `GitHub does not accept the code (${status}: ${messageIn(body)}): it works once and for an hour; start again`,
      { retry: 'never' },
    );
  }
  const { id, slug, html_url, pem, webhook_secret } = parsed(CreatedApp, body, 'the new App');
  return { id, slug, url: html_url, key: pem, webhookSecret: webhook_secret };
}
