/**
 * A system call filter in the form that container engines read: the calls that the sandbox refuses, and
 * those that create namespaces, which bwrap refuses there.
 */
export function seccompFilter(architecture: string): string | undefined {
  const known = ARCHITECTURES[architecture];
  if (known === undefined) return undefined;
  return JSON.stringify({
    defaultAction: 'SCMP_ACT_ALLOW',
    // The kernel's other sets of numbers are not named and so refused.
    architectures: [known],
    syscalls: [
      { names: DENIED, action: REFUSE, errnoRet: NOT_PERMITTED },
      // Its flags are behind a pointer. Callers that get ENOSYS fall back to clone.
      { names: ['clone3'], action: REFUSE, errnoRet: NO_SUCH_CALL },
      refusing('clone', NOT_PERMITTED, {
        value: NEW_USER,
        valueTwo: NEW_USER,
        op: 'SCMP_CMP_MASKED_EQ',
      }),
      ...CLOSED_FAMILIES.map((family) =>
        refusing('socket', NO_SUCH_FAMILY, { value: family, op: 'SCMP_CMP_EQ' }),
      ),
      refusing('socket', NO_SUCH_FAMILY, { value: LAST_FAMILY, op: 'SCMP_CMP_GT' }),
    ],
  });
}

const ARCHITECTURES: Readonly<Record<string, string>> = {
  x64: 'SCMP_ARCH_X86_64',
  arm64: 'SCMP_ARCH_AARCH64',
};

const REFUSE = 'SCMP_ACT_ERRNO';
const NOT_PERMITTED = 1;
const NO_SUCH_CALL = 38;
const NO_SUCH_FAMILY = 97;
const NEW_USER = 0x1000_0000;

const DENIED = [
  ...['mount', 'umount', 'umount2', 'pivot_root', 'chroot', 'swapon', 'swapoff', 'reboot'],
  ...['kexec_load', 'kexec_file_load', 'init_module', 'finit_module', 'delete_module'],
  ...['bpf', 'perf_event_open', 'userfaultfd', 'keyctl', 'add_key', 'request_key'],
  ...['open_by_handle_at', 'name_to_handle_at', 'setns', 'unshare', 'acct', 'syslog'],
  ...['io_uring_setup', 'io_uring_enter', 'io_uring_register', 'open_tree', 'move_mount'],
  ...['fsopen', 'fsconfig', 'fsmount', 'fspick', 'mount_setattr'],
];

/** All but unix, inet, inet6, and netlink, which programs use to list their interfaces. */
const CLOSED_FAMILIES = [0, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15];
const LAST_FAMILY = 16;

function refusing(name: string, errnoRet: number, argument: object) {
  return { names: [name], action: REFUSE, errnoRet, args: [{ index: 0, ...argument }] };
}
