import { ForgeFailed } from '../../ports/forge.ts';
import type { ForgeClient } from './client.ts';

interface Pages {
  /** With its query, without `page`. */
  readonly path: string;
  readonly perPage: number;
  readonly perPageName: 'per_page' | 'limit';
  readonly maxPages: number;
}

/** All items of a list, page by page; null when the list does not exist. */
export async function allItems(
  client: ForgeClient,
  pages: Pages,
): Promise<readonly unknown[] | null> {
  const items: unknown[] = [];
  const mark = pages.path.includes('?') ? '&' : '?';
  for (let page = 1; page <= pages.maxPages; page += 1) {
    const path = `${pages.path}${mark}${pages.perPageName}=${pages.perPage}&page=${page}`;
    const { status, body: answered } = await client.call({ method: 'GET', path });
    if ([301, 307, 404, 410].includes(status)) return null;
    // Gitea answers an empty timeline with null.
    const body = status === 200 && answered === null ? [] : answered;
    if (status !== 200 || !Array.isArray(body)) {
      throw new ForgeFailed(`the list ${pages.path} was answered with ${status}`, {
        retry: 'later',
      });
    }
    items.push(...body);
    if (body.length < pages.perPage) break;
  }
  return items;
}
