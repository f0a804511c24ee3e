import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Ended, type ProcessOptions, runProcess } from './suite-child.ts';
import { ROOT } from './tree.ts';

export interface Failure {
  readonly title: string;
  readonly because: string;
}

/** How one test file, or one check, ended. */
export interface SuiteResult {
  readonly name: string;
  /** With what it was run, if it is run with several in turn. */
  readonly on?: string;
  readonly seconds: number;
  /** Of its process and its descendants, as far as it can be seen. */
  readonly cpuSeconds: number;
  readonly passed: number;
  readonly failures: readonly Failure[];
  readonly skipped: readonly Failure[];
  /** Its output; shown only when something failed. */
  readonly output: string;
}

export interface SuiteOptions extends ProcessOptions {
  /** Whether the tier may leave the file without a test. */
  readonly mayBeEmpty: (file: string) => boolean;
}

/** Test files of the given globs, relative to the root; live tests are run by hand, and alone. */
export function findSuites(
  globs: readonly string[],
  filters: readonly string[],
  { live = false } = {},
): string[] {
  return globSync([...globs], { cwd: ROOT })
    .filter((file) => file.startsWith('test/live/') === live)
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
    .sort();
}

/** Runs the files in one process, one after the other. */
export async function runSuites(
  files: readonly string[],
  options: SuiteOptions,
): Promise<SuiteResult[]> {
  const ended = await runProcess(files, options);
  return files.map((file) => resultOf(file, ended, { files, options }));
}

function resultOf(
  file: string,
  { messages, fault, output, ...whole }: Ended,
  { files, options }: { files: readonly string[]; options: SuiteOptions },
): SuiteResult {
  const own = messages.filter((each) => 'file' in each && each.file === resolve(ROOT, file));
  const over = own.find((each) => each.kind === 'over');
  const passed = own.filter(({ kind }) => kind === 'passed').length;
  const failures = own.filter((each) => each.kind === 'failed').map((each) => relative(each, file));
  const skipped = own.filter((each) => each.kind === 'skipped');
  const isEmpty = passed + failures.length + skipped.length === 0;
  if (fault !== undefined && (over === undefined || files.length === 1)) {
    failures.push({ title: file, because: unfinished(fault, files) });
  } else if (isEmpty && options.namePattern === undefined && !options.mayBeEmpty(file)) {
    failures.push({ title: file, because: 'the file has no tests' });
  }
  const { seconds, cpuSeconds } = files.length === 1 ? whole : (over ?? NO_TIME);
  return {
    name: file,
    seconds,
    cpuSeconds,
    passed,
    failures,
    skipped,
    output: failures.length > 0 ? output : '',
  };
}

const NO_TIME = { seconds: 0, cpuSeconds: 0 };

function relative({ title, because }: Failure, file: string): Failure {
  return { title: title === resolve(ROOT, file) ? file : title, because };
}

function unfinished(fault: string, files: readonly string[]): string {
  if (files.length === 1) return fault;
  return `did not finish: the process of ${files.length} suites ${fault}`;
}
