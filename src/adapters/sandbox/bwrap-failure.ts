import { existsSync, readFileSync } from 'node:fs';
import type { Host } from './inspect-host.ts';

/** Why bwrap could not isolate the cell here, and how to fix it. */
export function explainBwrapFailure({ isRoot }: Pick<Host, 'isRoot'>, stderr: string): string {
  const lastLine = stderr.trim().split('\n').at(-1) ?? '';
  return `the sandbox cannot be built: ${lastLine || 'bwrap printed nothing'}; ${advice(isRoot, stderr)}`;
}

function advice(isRoot: boolean, stderr: string): string {
  if (/Unknown option .*--(disable-userns|size|perms)/.test(stderr)) {
    return 'install bubblewrap 0.8 or newer';
  }
  if (!/namespace|uid map|Operation not permitted|Permission denied|No space left/.test(stderr)) {
    return OTHERWISE;
  }
  if (settingIs('user/max_user_namespaces', '0')) {
    return 'user namespaces are disabled; enable them with: sysctl -w user.max_user_namespaces=10000';
  }
  if (settingIs('kernel/unprivileged_userns_clone', '0')) {
    return 'user namespaces are disabled for ordinary users; enable them with: sysctl -w kernel.unprivileged_userns_clone=1';
  }
  if (settingIs('kernel/apparmor_restrict_unprivileged_userns', '1')) {
    return (
      'AppArmor denies user namespaces to programs without a profile; give bwrap the profile in ' +
      `docs/guide/cells.md, or allow them with: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`
    );
  }
  if (isInContainer() || isRoot) {
    const options = [
      '--security-opt seccomp=unconfined',
      '--security-opt apparmor=unconfined',
      '--security-opt systempaths=unconfined',
      ...(isRoot ? ['--cap-add SYS_ADMIN'] : []),
    ];
    return (
      `the container denies namespaces and mounts; start it with ${options.join(' ')}, ` +
      'or run the worker outside a container'
    );
  }
  return OTHERWISE;
}

const OTHERWISE = 'run the worker on another machine';

function settingIs(name: string, value: string): boolean {
  const path = `/proc/sys/${name}`;
  return existsSync(path) && readFileSync(path, 'utf8').trim() === value;
}

function isInContainer(): boolean {
  return existsSync('/.dockerenv') || existsSync('/run/.containerenv');
}
