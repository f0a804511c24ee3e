import type { Arg } from '../../parsed-command.ts';
import type { JudgedCall } from '../judge-call.ts';
import { normal } from '../paths.ts';
import { deny, type Ruling, review } from '../ruling.ts';

const BUILD_OUTPUT =
  /^(dist|dist-[\w-]+|build|build-[\w-]+|built|_build|out|out-[\w-]+|output|es\d*|esm|cjs|umd|lib-?(cjs|esm|es)|coverage[\w-]*|\.coverage|htmlcov|node_modules|target|obj|\.next|\.nuxt|\.output|\.svelte-kit|\.turbo|\.cache|\.parcel-cache|\.vite|\.nyc_output|\.tox|\.nox|\.mypy_cache|\.ruff_cache|\.pytest_cache|\.eggs|\.hypothesis|__pycache__|[\w.*-]+\.egg-info|\.tsbuildinfo|[\w.-]*\.tsbuildinfo|\.eslintcache|storybook-static|_site|public\/build|docs\/_build|docs\/build|\.docusaurus|\.gradle|\.dart_tool|vendor\/bundle|wheelhouse|prebuilds|typings|generated|\.expo|artifacts|ebin|reports?|test-results|playwright-report|\.rollup\.cache|\.rpt2_cache[\w-]*)$/;
const BUILD_FILE =
  /(\.(log|tmp|pyc|pyo|tgz|o|a|so|map|vsix|lcov|tsbuildinfo|orig|rej|swp|d\.ts)|~|^\.DS_Store)$/;
const BUILD_FOLDER = /^(dist|build|node_modules|target|coverage|out|\.cache)$/;

/** Removing single files or build output loses nothing; removing a whole tree may. */
export function checkRemoval(call: JudgedCall): readonly Ruling[] {
  const recurses = call.given.some(({ option }) => option?.effect === 'recurse');
  const isPlain = !recurses && /(^|\s)(rm|unlink)$/.test(call.name) && !call.name.startsWith('shx');
  const targets = call.operands.filter(({ open }) => !isPlain || open === 'names');
  const other = targets.find((target) => !isBuildOutput(target, call));
  return other
    ? [review(`${other.text} may be a whole folder, and removing it cannot be undone`)]
    : [];
}

function isBuildOutput({ text, open }: Arg, { at, part }: JudgedCall): boolean {
  if (open === 'unknown') return false;
  const path = text.replace(/\/+(\*+)?$/, '');
  const isTop = normal(`${at.cwd}/${path}`) === normal(at.worktree);
  if (isTop || path === '' || path === '.' || part.folders === null) return false;
  const pieces = path.split('/');
  const last = pieces.at(-1) ?? '';
  return (
    BUILD_OUTPUT.test(last) ||
    BUILD_OUTPUT.test(pieces.slice(-2).join('/')) ||
    BUILD_FILE.test(last) ||
    pieces.slice(0, -1).some((piece) => BUILD_FOLDER.test(piece))
  );
}

/** `find -delete` is fine for names that a build or an editor leaves behind. */
export function checkFind(call: JudgedCall): readonly Ruling[] {
  if (!call.given.some(({ word }) => word === '-delete')) return [];
  const names = call.given.filter(({ word }) => /^-i?name$/.test(word));
  const isOutput = names.every(({ value }) => value !== null && isBuildOutput(value, call));
  return names.length > 0 && isOutput
    ? []
    : [review('find -delete removes every file that it finds')];
}

export function checkMode({ operands: [mode] }: JudgedCall): readonly Ruling[] {
  return /^[0-7]*[4-7][0-7]{3}$|[+=][rwx]*s/.test(mode?.text ?? '')
    ? [review('it makes a file setuid or setgid')]
    : [];
}

/** An archive or a folder may be on another machine. */
export function checkTar({ operands, given, name }: JudgedCall): readonly Ruling[] {
  const words = [...operands, ...given.flatMap(({ value }) => value ?? [])];
  const isRemote = ({ text }: Arg) => /^[\w.@-]+:[^/\\]|::|^rsync:/.test(text);
  const remote = words.find(
    (word) => isRemote(word) || (name === 'rsync' && /^[\w.@-]+:/.test(word.text)),
  );
  if (!remote) return [];
  return [
    name === 'rsync'
      ? deny('it copies to or from another machine')
      : review(`${remote.text} may be a file on another machine`),
  ];
}
