import { join } from 'node:path';

/** A control group of a process, and where its hierarchy is mounted. */
interface CgroupPath {
  readonly folder: string;
  readonly mount: string;
}

/** For cgroup v1. Takes /proc/…/cgroup of the process and the mounts of this one. */
export function findCgroupV1(
  controller: string,
  groups: string,
  mounts: string,
): CgroupPath | undefined {
  const mount = mountPoint(mounts, (kind, options) => {
    return kind === 'cgroup' && options.split(',').includes(controller);
  });
  const path = new RegExp(`^\\d+:(?:[^:]*,)?${controller}(?:,[^:]*)?:(.*)$`, 'm').exec(groups)?.[1];
  return mount === undefined ? undefined : cgroupPath(mount, path);
}

/** The same for cgroup v2. */
export function findCgroupV2(groups: string, mounts: string): CgroupPath | undefined {
  const mount = mountPoint(mounts, (kind) => kind === 'cgroup2');
  const path = /^0::(.*)$/m.exec(groups)?.[1];
  return mount === undefined ? undefined : cgroupPath(mount, path);
}

function cgroupPath(mount: string, path = '/'): CgroupPath {
  return { folder: path === '/' ? mount : join(mount, path), mount };
}

function mountPoint(mounts: string, is: (kind: string, options: string) => boolean) {
  for (const line of mounts.split('\n')) {
    const [left = '', right = ''] = line.split(' - ');
    const [kind = '', , options = ''] = right.split(' ');
    if (is(kind, options)) return left.split(' ')[4];
  }
  return undefined;
}
