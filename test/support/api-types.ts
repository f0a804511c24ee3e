import { spawnSync } from 'node:child_process';
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
    'src/api/generated/openapi.ts': formatted(TOLD + astToString(types)),
    'src/api/generated/operations.ts': formatted(TOLD + operations()),
  };
}

/** As the rest of the house is written, so that one check fits all files. */
function formatted(text: string): string {
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  const asked = [biome, 'format', '--stdin-file-path=generated.ts'];
  const { status, stdout, stderr } = spawnSync(process.execPath, asked, {
    cwd: ROOT,
    input: text,
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`biome format failed with exit code ${status}: ${stderr}`);
  return stdout;
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
