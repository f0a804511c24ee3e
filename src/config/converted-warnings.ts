import type { Declaration } from '../domain/apply-config.ts';

/** What a `config/agents.json` says besides its types. */
export interface ConvertedFile {
  /** As shown to people. */
  readonly file: string;
  readonly warnings: readonly string[];
  readonly repos: readonly string[];
}

/** What the hall does not take from the file, and its repositories that no project has. */
export function convertedWarnings(
  { file, warnings, repos }: ConvertedFile,
  { projects }: Pick<Declaration, 'projects'>,
): readonly string[] {
  const covered = projects.map(({ settings }) =>
    settings.repo?.replace(/^[^:]*:/, '').toLowerCase(),
  );
  const others = repos.filter((repo) => !covered.includes(repo.toLowerCase()));
  return [
    ...warnings.map((warning) => `${file}: ${warning}`),
    ...others.map(
      (repo) =>
        `${file}: repos lists ${repo}, which no project has: deliveries from it are refused`,
    ),
  ];
}
