import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../tree.ts';

/** A program that is built from its Go module. */
export interface GoProgram {
  readonly name: string;
  readonly module: string;
  readonly version: string;
  /** Of the module, as Go's checksum database has it. */
  readonly sum: string;
  readonly cgo: boolean;
  readonly flags: readonly string[];
  /** Folders of the module that the program reads when it runs. */
  readonly needs: readonly string[];
}

/** The newest Gitea whose modules are all to be had from the module proxy. */
export const GITEA: GoProgram = {
  name: 'gitea',
  module: 'code.gitea.io/gitea',
  version: 'v1.26.4',
  sum: 'h1:VDA00oYg16VrQf3sES0NuS/oiDLAIVng/7jKHsBMP/w=',
  cgo: true,
  flags: ['-tags', 'sqlite sqlite_unlock_notify', '-ldflags', '-s -w -X main.Version=1.26.4'],
  needs: ['options', 'templates', 'public'],
};

export const RUNNER: GoProgram = {
  name: 'runner',
  module: 'gitea.com/gitea/runner',
  version: 'v1.0.8',
  sum: 'h1:zKfC4+zyyGIDagqhII3WVw52P+A9iAa63It0lniN4SI=',
  cgo: false,
  flags: ['-ldflags', '-s -w'],
  needs: [],
};

export const OLDEST_GO = [1, 26, 3] as const;

/** Where the programs of these versions are kept in this clone. */
export const PLACE: string = join(
  ROOT,
  '.cache',
  `gitea-${GITEA.version.slice(1)}-runner-${RUNNER.version.slice(1)}`,
);

/** Written last, so that a build that was cut short is no build. */
export const BUILT: string = join(PLACE, 'built.json');

export const BUILD_COMMAND = 'node test/support/real-gitea/build.ts';

/** Every Forgejo needs modules that no proxy has, so there is none to test with. */
export const NO_FORGEJO =
  'none can be built from the modules that are to be had; its dialect is tested on the emulator';

/** The folder with the programs, or why there is none. */
export function builtGitea(): { readonly folder: string } | { readonly missing: string } {
  if (!existsSync(BUILT))
    return { missing: `it was not built here; ${BUILD_COMMAND} does it once` };
  const { sums } = JSON.parse(readFileSync(BUILT, 'utf8'));
  const isSame = JSON.stringify(sums) === JSON.stringify([GITEA.sum, RUNNER.sum]);
  return isSame ? { folder: PLACE } : { missing: `${BUILT} is of other modules; build it again` };
}
