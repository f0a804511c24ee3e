import { SCHEMA, type Schema } from '../../src/adapters/sql/schema-version.ts';
import { tableStatements } from '../../src/adapters/sql/tables.ts';
import { openWriter } from '../../src/adapters/sqlite/connection.ts';
import { migrate } from '../../src/adapters/sqlite/migrate.ts';

/** Two steps that change tables, their contents and an index. */
export const LATER: Schema = {
  fresh: (dialect) => [...tableStatements(dialect), ...first(), ...second()],
  steps: [...SCHEMA.steps, first, second],
};

function first(): readonly string[] {
  return [
    'ALTER TABLE task ADD COLUMN mood TEXT',
    "UPDATE task SET mood = 'good'",
    'CREATE INDEX task_of_mood ON task (mood)',
  ];
}

function second(): readonly string[] {
  return [
    'CREATE TABLE mood (name TEXT PRIMARY KEY NOT NULL) STRICT, WITHOUT ROWID',
    'INSERT INTO mood SELECT DISTINCT mood FROM task',
    'DROP INDEX task_of_mood',
  ];
}

/**
 * Migrates a database and dies after the statement of a number, before anything is committed.
 *
 *   node sqlite-migration.ts <path> <statement>
 */
const [path, dies] = process.argv.slice(2);
if (path !== undefined && import.meta.main) {
  let ran = 0;
  migrate({
    db: openWriter(path),
    schema: LATER,
    backUp: () => undefined,
    onStatement: () => {
      ran += 1;
      if (ran === Number(dies)) process.kill(process.pid, 'SIGKILL');
    },
  });
  process.stdout.write('migrated\n');
}
