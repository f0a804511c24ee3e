import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { openApi } from '../../src/api/openapi.ts';
import type { Route } from '../../src/api/route.ts';
import { ROUTES } from '../../src/api/routes.ts';
import { ROOT } from './tree.ts';

const TOLD = '/* Made from src/api/routes.ts by `node test/support/api-types.ts`. */\n\n';

/** The files under src/api/generated/, by path, as the table of routes would have them. */
export async function generatedFiles(): Promise<Readonly<Record<string, string>>> {
  const document = openApi('0') as unknown as Parameters<typeof openapiTS>[0];
  const types = await openapiTS(document, { defaultNonNullable: false });
  return {
    'src/api/generated/openapi.ts': TOLD + astToString(types),
    'src/api/generated/operations.ts': TOLD + operations(),
  };
}

/** Method and path alone, so that a client need not load the schemas. */
function operations(): string {
  const lines = Object.entries<Route>(ROUTES).map(
    ([id, { method, path }]) => `  ${id}: ['${method}', '${path}'],\n`,
  );
  return `export const OPERATIONS = {\n${lines.join('')}} as const;\n`;
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(await generatedFiles())) {
    writeFileSync(join(ROOT, path), text);
  }
}
