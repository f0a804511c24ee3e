import { asks, denies, named, type Table, table } from '../option-table.ts';
import { BUILD_TOOLS } from './build-tools.ts';
import { GIT } from './git.ts';
import { LANGUAGES } from './languages.ts';
import { PACKAGES } from './packages.ts';
import { READERS } from './readers.ts';
import { TOOLS } from './tools.ts';
import { WRITERS } from './writers.ts';

/** What is known of a program; undefined when nothing is. */
export function tableOf(name: string): Table | undefined {
  return Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
}

/** It touches no file, so the folder it runs in does not matter. */
export function isHarmless(table: Table): boolean {
  return table === HARMLESS;
}

/** Safe with any arguments: they touch no file, and what some of them run is read as a part of its own. */
const HARMLESS: Table = table('POSIX.1-2024, Bash 5.2 and GNU coreutils manuals', 'word', {
  syntax: 'unknown',
})``;

const MANUALS = 'the manual of each program';

const PROGRAMS: Readonly<Record<string, Table>> = {
  ...TOOLS,
  ...BUILD_TOOLS,
  ...READERS,
  ...WRITERS,
  ...LANGUAGES,
  ...PACKAGES,
  git: GIT,
  ...named(
    `echo true false : test [ sleep pwd basename dirname seq expr uname whoami id which type hash exit
    return break continue shift set shopt wait jobs bg fg disown tput clear nproc arch hostname umask
    ulimit let local declare typeset readonly unset read getopts export times trap alias unalias kill
    pkill killall logname groups tty users factor numfmt printf yes eval caller dirs help suspend
    logout exec command builtin env nohup time timeout nice ionice stdbuf setsid cal uptime free ps
    top pgrep locale getconf mktemp printenv sync errno reset stty lsb_release sw_vers enable compgen
    complete bind history fc mapfile readarray unbuffer chrt taskset gtimeout xargs watch flock popd
    pushd tr cross-env cross-env-shell dotenv env-cmd concurrently nodemon xvfb-run dbus-run-session
    catchsegv busybox toybox parallel`,
    HARMLESS,
  ),
  date: table('GNU coreutils 9 manual', 'word')`
    -d= --date= --debug -I? -R -u read: -f= --file= -r= --reference= ask: -s= --set=`,
  ...named(
    `curl wget wget2 nc ncat netcat telnet ssh scp sftp ftp tftp lftp dig nslookup host drill ping
    ping6 traceroute mtr socat http https xh httpie aria2c axel whois nmap masscan tcpdump wireshark
    tshark gh hub glab aws gcloud gsutil az heroku flyctl fly vercel netlify surge firebase wrangler
    kubectl oc doctl linode-cli s3cmd rclone mail sendmail mutt ssh-copy-id ssh-add mosh autossh
    sshpass ngrok cloudflared localtunnel lt stunnel proxychains torsocks tor ipfs websocat wscat
    grpcurl redis-cli psql mysql mongo mongosh mysqldump pg_dump pg_restore lynx links w3m elinks
    youtube-dl yt-dlp codecov coveralls np release-it semantic-release snyk sonar-scanner logger
    nsupdate iperf iperf3 slackcat telegram-send xdg-open open smbclient rsh rlogin rcp finger`,
    denies(
      MANUALS,
      'it connects to other machines, and agents have no network access: report what you need',
    ),
  ),
  ...named(
    'shutdown reboot halt poweroff init systemctl service iptables nft insmod modprobe sysctl',
    denies(MANUALS, 'it controls the machine, not the workspace'),
  ),
  ...named(
    'sudo doas su pkexec runuser sg newgrp',
    denies(MANUALS, 'a cell grants no further privileges: report what is missing'),
  ),
  ...named(
    'docker podman docker-compose buildah nerdctl',
    denies(MANUALS, 'there is no container engine in the cell'),
  ),
  ...named(
    'apt apt-get aptitude yum dnf apk brew snap pacman zypper conda mamba micromamba nix nix-env',
    denies(MANUALS, 'agents may not install software on the machine: report what is missing'),
  ),
  ...named('crontab at batch', asks(MANUALS, 'it runs something after the task has ended')),
  ...named(
    'vi vim nvim emacs nano ed ex less more man',
    asks(MANUALS, 'it waits for keyboard input and can run programs'),
  ),
  ...named(
    'gdb lldb strace ltrace perf nsenter unshare systemd-run start-stop-daemon expect',
    asks(MANUALS, 'it inspects or starts other processes'),
  ),
  ...named(
    'chown chgrp mount umount chroot losetup mkfs fdisk dd shred',
    asks(MANUALS, 'it changes more than file contents'),
  ),
};
