import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_PROJECT_SETTINGS } from '../domain/project.ts';
import { settingsView } from './convert-settings.ts';

test('a project that was stored before a setting existed shows its default', () => {
  const { mergeMethod: _, ...stored } = DEFAULT_PROJECT_SETTINGS;
  const shown = settingsView({ ...stored, maxWorkers: 7 } as typeof DEFAULT_PROJECT_SETTINGS);
  assert.deepEqual([shown.merge_method, shown.max_workers], ['merge', 7]);
});
