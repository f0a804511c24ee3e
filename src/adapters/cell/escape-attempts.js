// Runs inside a cell: node escape-attempts.mjs <facts>. Tries to escape and writes one JSON line per
// attempt. Anything that succeeds here would succeed for an agent.
import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { lookup, Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import {
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import { setImmediate } from 'node:timers/promises';

const facts = JSON.parse(process.argv[2]);
const status = readFileSync('/proc/self/status', 'utf8');
const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));

/** Each attempt returns what it reached; it should reach nothing. */
const ATTEMPTS = {
  'another user': () => (process.getuid() === 0 ? ['user 0'] : []),
  capabilities: () => status.match(/^Cap\w+:\s+0*[1-9a-f]\w*/gm) ?? [],
  'set-user-id programs': () => [
    ...(/^NoNewPrivs:\s+1/m.test(status) ? [] : ['programs may gain privileges']),
    ...got('user 0', () => process.setuid(0)),
  ],
  'system calls': () => (/^Seccomp:\s+2/m.test(status) ? [] : ['all of them']),
  namespaces: () =>
    Object.entries(facts.namespaces)
      .filter(([kind, id]) => attempt(() => readlinkSync(`/proc/self/ns/${kind}`)) === id)
      .map(([kind]) => `${kind} of the host`),
  'nested user namespace': () =>
    spawnSync('unshare', ['--user', 'true']).status === 0 ? ['a user namespace'] : [],
  mount: () => {
    const { status: code } = spawnSync('mount', ['-t', 'tmpfs', 'probe', '/tmp']);
    return code === 0 ? ['a mount on /tmp'] : [];
  },
  'unexpected mounts': () => mountPoints().filter((path) => !isNamed(path)),
  'unexpected folders': () =>
    readdirSync('/')
      .map((name) => `/${name}`)
      .filter((path) => !lstatSync(path).isSymbolicLink())
      .filter((path) => !facts.mountPoints.some((named) => `${named}/`.startsWith(`${path}/`))),
  'files of the host': () => [
    ...got(facts.file, () => readFileSync(facts.file)),
    ...processes.flatMap((pid) => {
      const path = `/proc/${pid}/root${facts.file}`;
      return got(path, () => readFileSync(path));
    }),
  ],
  'objects of another repository': () => foreignRepository(),
  'writes to read-only files': () =>
    ['/', '/usr', '/etc', '/dev', '/opt', '/run', '/bin', '/lib'].flatMap((folder) => {
      const path = `${folder}/.probe`;
      return got(path, () => {
        writeFileSync(path, '');
        rmSync(path);
      });
    }),
  'kernel settings': () =>
    ['kernel/panic', 'kernel/core_pattern', 'vm/swappiness', 'user/max_user_namespaces']
      .map((name) => `/proc/sys/${name}`)
      .concat('/proc/sysrq-trigger')
      .flatMap((path) => got(path, () => closeSync(openSync(path, 'r+')))),
  devices: () => readdirSync('/dev').filter((name) => !DEVICES.includes(name)),
  'control groups': () => got('/sys/fs/cgroup', () => readdirSync('/sys/fs/cgroup')),
  'processes of the host': () => [
    ...processes.filter((pid) => attempt(() => argumentsOf(pid))?.includes(facts.canary.word)),
    ...got(`a signal to ${facts.canary.pid}`, () => process.kill(facts.canary.pid, 0)),
  ],
  'environment of other processes': () => processes.flatMap((pid) => strangeVariables(pid)),
  'open descriptors': () => openDescriptors(),
  hostname: () => (hostname() === facts.hostname ? [hostname()] : []),
  'network interfaces': () =>
    [...readFileSync('/proc/net/dev', 'utf8').matchAll(/^\s*([^\s:]+):/gm)]
      .map(([, name]) => name)
      .filter((name) => name !== 'lo'),
  'ports of the host': async () => [
    ...(await reached({ host: '127.0.0.1', port: facts.port })),
    ...(await reached({ host: '192.0.2.1', port: 443 })),
    ...(await reached({ host: '169.254.169.254', port: 80 })),
    ...(await reached({ host: '2001:db8::1', port: 443 })),
  ],
  'abstract sockets of the host': () => reached({ path: `\0${facts.abstract}` }),
  datagrams: () => sent('192.0.2.1'),
  'name resolution': async () => [
    ...nameservers(),
    ...(await resolved(lookup('example.com'))),
    ...(await resolved(new Resolver({ timeout: 200, tries: 1 }).resolve4('example.com'))),
  ],
};

const DEVICES = [
  ...['core', 'fd', 'full', 'mqueue', 'null', 'ptmx', 'pts', 'random', 'shm'],
  ...['stderr', 'stdin', 'stdout', 'tty', 'urandom', 'zero', 'console'],
];

for (const [name, attemptEscape] of Object.entries(ATTEMPTS)) {
  const found = await attemptEscape();
  const shown = found.slice(0, 5).join(', ') || 'nothing';
  process.stdout.write(`${JSON.stringify({ name, blocked: found.length === 0, found: shown })}\n`);
}

function got(what, act) {
  return attempt(() => [act()]) === undefined ? [] : [what];
}

function attempt(act) {
  try {
    return act();
  } catch {
    return undefined;
  }
}

function argumentsOf(pid) {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
}

function mountPoints() {
  return readFileSync('/proc/self/mountinfo', 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' ')[4].replaceAll('\\040', ' '));
}

function isNamed(path) {
  if (path === '/') return true;
  return facts.mountPoints.some((named) => named !== '/' && `${path}/`.startsWith(`${named}/`));
}

/** As git would follow it from a file that the agent wrote. */
function foreignRepository() {
  const env = { ...process.env, GIT_ALTERNATE_OBJECT_DIRECTORIES: facts.objects };
  const made = spawnSync('git', ['init', '--quiet', '/tmp/probe.git']);
  const git = ['--git-dir', '/tmp/probe.git/.git', 'cat-file', '-e', facts.object];
  if (made.status === 0 && spawnSync('git', git, { env }).status === 0) return [facts.object];
  return got(facts.objects, () => readdirSync(facts.objects));
}

function strangeVariables(pid) {
  const environ = attempt(() => readFileSync(`/proc/${pid}/environ`, 'utf8')) ?? '';
  return environ
    .split('\0')
    .map((line) => line.split('=')[0])
    .filter((name) => name !== '' && !['PATH', 'HOME', 'PWD'].includes(name))
    .map((name) => `${name} of process ${pid}`);
}

/** Node closes its own descriptors in its children; the rest came from outside. */
function openDescriptors() {
  return readdirSync('/proc/self/fd')
    .filter((descriptor) => Number(descriptor) > 2)
    .filter((descriptor) => {
      const text = attempt(() => readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? '';
      const flags = Number.parseInt(/^flags:\s+([0-7]+)/m.exec(text)?.[1] ?? '2000000', 8);
      return (flags & 0o2000000) === 0;
    })
    .map((descriptor) => attempt(() => readlinkSync(`/proc/self/fd/${descriptor}`)))
    .filter((target) => target !== undefined && target !== '/dev/null');
}

async function reached(where) {
  const socket = connect({ ...where, timeout: 500 });
  const name = where.path ?? `${where.host}:${where.port}`;
  const isOpen = await Promise.race([
    once(socket, 'connect').then(
      () => true,
      () => false,
    ),
    // A packet that is sent and not answered has left the cell. Timers come before results in the event
    // loop, and a process that waited for the CPU has both.
    once(socket, 'timeout')
      .then(() => setImmediate())
      .then(
        () => true,
        () => false,
      ),
  ]);
  socket.destroy();
  return isOpen ? [name] : [];
}

async function sent(address) {
  const socket = createSocket('udp4');
  const error = await new Promise((settle) => socket.send('probe', 53, address, settle));
  socket.close();
  return error ? [] : [`${address}:53`];
}

function nameservers() {
  const settings = attempt(() => readFileSync('/etc/resolv.conf', 'utf8')) ?? '';
  return settings.match(/^\s*nameserver.*/gm) ?? [];
}

async function resolved(pending) {
  return pending.then(
    (answer) => [JSON.stringify(answer)],
    () => [],
  );
}
