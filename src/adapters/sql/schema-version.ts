import { SchemaAhead } from '../../ports/store.ts';
import type { Dialect } from './dialect.ts';
import {
  addDecisions,
  addSecretValues,
  addTaskSearch,
  type Step,
  useCommonNames,
} from './migrations.ts';
import { tableStatements } from './tables.ts';

/** The schema and its migrations. Databases only move forward through the steps. */
export interface Schema {
  /** Creates the tables of the last version in an empty database. */
  readonly fresh: (dialect: Dialect) => readonly string[];
  /** The first step leads from version 1 to version 2. */
  readonly steps: readonly Step[];
}

export const SCHEMA: Schema = {
  fresh: tableStatements,
  steps: [addDecisions, useCommonNames, addSecretValues, addTaskSearch],
};

/** The key in `meta` that holds a database's version. */
export const VERSION_KEY = 'schema';

export function versionOf({ steps }: Schema): number {
  return steps.length + 1;
}

/**
 * The statements that bring a database from its version to this one, in one transaction; none when it
 * is up to date. A database without a version is empty.
 */
export function statementsFrom(
  found: number | undefined,
  dialect: Dialect,
  schema: Schema,
): readonly string[] {
  const version = versionOf(schema);
  if (found === version) return [];
  if (found !== undefined) refuseNewer(found, schema);
  const steps =
    found === undefined
      ? schema.fresh(dialect)
      : schema.steps.slice(found - 1).flatMap((step) => step(dialect));
  return [...steps, stampOf(version)];
}

export function refuseNewer(found: number, schema: Schema = SCHEMA): void {
  const version = versionOf(schema);
  if (found <= version) return;
  throw new SchemaAhead(
    `the database has schema version ${found}, but this hall knows only versions up to ${version}: ` +
      'start the newer version of the hall again, or restore a backup made before the upgrade',
  );
}

function stampOf(version: number): string {
  return `INSERT INTO meta (key, value) VALUES ('${VERSION_KEY}', '${version}')
    ON CONFLICT (key) DO UPDATE SET value = excluded.value`;
}
