/**
 * A system call filter in the form the kernel loads. The namespaces remove paths and the network; this
 * removes what no namespace covers: vsock, which leads from a virtual machine to its host, the keyrings
 * of a user, and io_uring, which opens sockets past any filter.
 */
export function seccompFilter(architecture: string): Buffer | undefined {
  const calls = CALLS[architecture];
  if (calls === undefined) return undefined;

  const denied = calls.denied.map((call) => ifEqual(call, REFUSE_PERMISSION));
  const families = SOCKET_FAMILIES.map((family) => ifEqual(family, ALLOW));
  const lines: Line[] = [
    load(OFFSET.architecture),
    ifNotEqual(calls.audit, REFUSE_UNKNOWN),
    load(OFFSET.number),
    // The kernel also answers to a second set of numbers on x86-64.
    ifAtLeast(0x4000_0000, REFUSE_UNKNOWN),
    ...denied,
    ifNotEqual(calls.socket, ALLOW),
    load(OFFSET.firstArgument),
    ...families,
    answer(REFUSE_FAMILY),
  ];
  return assemble(lines);
}

interface Calls {
  readonly audit: number;
  readonly socket: number;
  readonly denied: readonly number[];
}

/** The same in both tables: io_uring, and mounting by descriptor. */
const EVERYWHERE = [425, 426, 427, 428, 429, 430, 431, 432, 433, 442];

/**
 * mount, umount2, pivot_root, chroot, swapon, swapoff, reboot, kexec_load, kexec_file_load,
 * init_module, finit_module, delete_module, bpf, perf_event_open, userfaultfd, keyctl, add_key,
 * request_key, open_by_handle_at, name_to_handle_at, setns, acct, syslog; numbers from the kernel's
 * unistd tables.
 */
const CALLS: Readonly<Record<string, Calls>> = {
  x64: {
    audit: 0xc000_003e,
    socket: 41,
    denied: [
      ...[165, 166, 155, 161, 167, 168, 169, 246, 320, 175, 313, 176, 321, 298, 323],
      ...[250, 248, 249, 304, 303, 308, 163, 103],
      ...EVERYWHERE,
    ],
  },
  arm64: {
    audit: 0xc000_00b7,
    socket: 198,
    denied: [
      ...[40, 39, 41, 51, 224, 225, 142, 104, 294, 105, 273, 106, 280, 241, 282],
      ...[219, 217, 218, 265, 264, 268, 89, 116],
      ...EVERYWHERE,
    ],
  },
};

/** unix, inet, inet6, and netlink, which programs use to list their interfaces. */
const SOCKET_FAMILIES = [1, 2, 10, 16];

const OFFSET = { number: 0, architecture: 4, firstArgument: 16 };

const ALLOW = 0x7fff_0000;
const ERRNO = 0x0005_0000;
const REFUSE_PERMISSION = ERRNO | 1;
const REFUSE_UNKNOWN = ERRNO | 38;
const REFUSE_FAMILY = ERRNO | 97;

/** One rule, before its number of instructions is known. */
type Line = readonly Instruction[];

interface Instruction {
  readonly code: number;
  readonly whenTrue: number;
  readonly whenFalse: number;
  readonly value: number;
}

const LOAD_WORD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_AT_LEAST = 0x35;
const RETURN = 0x06;

function load(value: number): Line {
  return [{ code: LOAD_WORD, whenTrue: 0, whenFalse: 0, value }];
}

function answer(value: number): Line {
  return [{ code: RETURN, whenTrue: 0, whenFalse: 0, value }];
}

function ifEqual(value: number, verdict: number): Line {
  return [{ code: JUMP_EQUAL, whenTrue: 0, whenFalse: 1, value }, ...answer(verdict)];
}

function ifNotEqual(value: number, verdict: number): Line {
  return [{ code: JUMP_EQUAL, whenTrue: 1, whenFalse: 0, value }, ...answer(verdict)];
}

function ifAtLeast(value: number, verdict: number): Line {
  return [{ code: JUMP_AT_LEAST, whenTrue: 0, whenFalse: 1, value }, ...answer(verdict)];
}

function assemble(lines: readonly Line[]): Buffer {
  const instructions = lines.flat();
  const program = Buffer.alloc(instructions.length * 8);
  for (const [index, { code, whenTrue, whenFalse, value }] of instructions.entries()) {
    program.writeUInt16LE(code, index * 8);
    program.writeUInt8(whenTrue, index * 8 + 2);
    program.writeUInt8(whenFalse, index * 8 + 3);
    program.writeUInt32LE(value >>> 0, index * 8 + 4);
  }
  return program;
}
