import { checkInterpreter, checkShell } from '../checks/code.ts';
import { checkFind } from '../checks/files.ts';
import { asks, denies, named, type Table, table } from '../option-table.ts';

const NODE: Table = table('Node.js 24: Command-line API', 'code own', {
  syntax: 'leading',
  language: 'node',
  check: checkInterpreter,
})`--test --test-only --watch --check -c --inspect? --enable-source-maps --no-warnings --trace-warnings --expose-gc
  --experimental-strip-types --experimental-vm-modules --experimental-test-coverage
  --experimental-specifier-resolution= --no-deprecation --test-concurrency= --test-name-pattern= --test-timeout=
  --conditions= -C= --max-old-space-size= --stack-trace-limit= --unhandled-rejections= --input-type=
  --allow-natives-syntax -v -h --transpile-only -T --esm --swc --files --pretty --no-cache --extensions= read:
  --env-file= --env-file-if-exists= write: --test-reporter-destination= --cpu-prof-dir= --heap-prof-dir=
  --diagnostic-dir= --redirect-warnings= code: -r= --require= --import= --loader= --experimental-loader=
  --test-reporter= --test-global-setup= --project= -P= -O= --tsconfig= script: -e= --eval= -p= --print= -pe= run:
  --run= --interactive -i --openssl-config= --experimental-config-file= --build-snapshot --snapshot-blob=
  --inspect-brk? --experimental-default-config-file`;

export const PYTHON_MODULES: Readonly<Record<string, Table>> = {
  ...named(
    `http.server SimpleHTTPServer ftplib telnetlib smtpd smtplib webbrowser poplib imaplib nntplib
    xmlrpc.server xmlrpc.client urllib.request urllib urllib2 http.client socketserver asyncio`,
    denies('Python 3.12 library', 'this module uses the network'),
  ),
  ...named(
    'timeit code pdb idlelib ensurepip runpy trace cProfile profile',
    asks('Python 3.12 library', 'this module can run arbitrary code'),
  ),
};

const PYTHON: Table = table('Python 3.12: Command line and environment', 'code own', {
  syntax: 'posix',
  language: 'python',
  ends: '-c -m',
  replacedBy: '-c -m',
  modules: PYTHON_MODULES,
  check: checkInterpreter,
})`-b -B -d -E -h -I -O -OO -P -q -s -S -u -v -V -x -W= -X= -3 -t -R script: -c= module: -m= ask: -i`;

const SED: Table = table('GNU sed 4.9 manual', 'script read', {
  language: 'sed',
  replacedBy: '-e --expression -f --file',
})`-n --quiet --silent --debug -l= --line-length= --posix -E -r --regexp-extended -s --separate --sandbox -u
  --unbuffered -z --null-data -b script: -e= --expression= edit: -i? --in-place? ask: -f= --file= --follow-symlinks`;

/** Versions of awk differ on whether `-e` replaces the program that is the first operand. */
const AWK: Table = table('gawk 5 manual; man 1 mawk', 'script read', {
  syntax: 'posix',
  language: 'awk',
  replacedBy: '-e --source -f --file -E --exec',
})`-F= --field-separator= -v= --assign= -b -c --traditional -P --posix -r -n -N -S --sandbox -O -s -M --bignum -k
  --csv -h -V -C run: -e= --source= -f= --file= -E= --exec= -i= --include= -l= --load= -D? --debug? -W= ask:
  -d? --dump-variables? -o? --pretty-print? -p? --profile? -g --gen-pot -L? --lint? -t --lint-old -I --trace`;

/** Runs a file, or code from the command line, which is not read. */
function interpreter(source: string, options: string): Table {
  return table(source, 'code own', { syntax: 'posix', check: checkInterpreter })`${options}`;
}

const SHELL: Table = table('Bash 5.2 manual: Invoking Bash', 'word', {
  syntax: 'posix',
  check: checkShell,
})`
  -e -u -x -v -f -l -r -s -p -n -h -B -C -E -T -i -a -b -k -m -t -D -o= -c --login --norc --noprofile --posix
  --verbose ask: -O= --rcfile= --init-file=`;

/** Interpreters of scripts. */
export const LANGUAGES: Readonly<Record<string, Table>> = {
  ...named('node tsx ts-node ts-node-esm babel-node esno jiti swc-node', NODE),
  ...named(
    `python python3 python2 pypy pypy3 python3.8 python3.9 python3.10 python3.11 python3.12
    python3.13 python3.14`,
    PYTHON,
  ),
  perl: interpreter(
    'perl 5.36: perlrun',
    `-a -c -h -l# -0# -n -p -s -S -t -T -u -U -v -V? -w -W -X -f -D? -C? -F? code: -I= script: -e= -E= ask: -i? -M?
      -m? -x? -d?`,
  ),
  ruby: interpreter(
    'ruby 3 --help',
    '-a -c -d -l -n -p -s -v -w -W? -0# -F? -E= folder: -C= -X= code: -I= -r= script: -e= ask: -i? -x? -T?',
  ),
  php: interpreter(
    'php 8 --help',
    '-n -q -l -v -m -i -s -w code: -f= script: -r= -B= -R= -E= ask: -a -c= -d= -z= -F= -t= --ini connect: -S=',
  ),
  ...named(
    'lua luajit Rscript julia groovy scala elixir tclsh',
    interpreter(
      'the --help of each',
      `-v -q --quiet script: -e= -E= --eval= --expression= --print= --rpc-eval+ code: -l= -L= --load= -r= -pr= -pa=
        -pz= -S= run: --erl= --boot= ask: -i -j= -b`,
    ),
  ),
  ...named('bash sh dash zsh ksh', SHELL),
  ...named('source .', interpreter('Bash 5.2 manual: Bourne Shell Builtins', '')),
  ...named('sed gsed', SED),
  ...named('awk gawk mawk nawk', AWK),
  find: table('GNU findutils 4.9 manual', 'read', { syntax: 'words', check: checkFind })`
    -H -L -P -O* -amin= -atime= -cmin= -ctime= -empty -executable -false -fstype= -gid= -group= -iname= -inum= -ipath=
    -iregex= -links= -lname= -mmin= -mtime= -name= -newer= -newermt= -path= -perm= -readable -regex= -size= -true
    -type= -uid= -user= -wholename= -writable -xtype= -a -and -o -or -not -depth -d -follow -maxdepth= -mindepth=
    -mount -regextype= -xdev -print -print0 -printf= -ls -prune -quit -delete -exec; -execdir; -ok; -okdir; read:
    -samefile= ask: -fprint= -fprint0= -fprintf+ -fls= -files0-from=`,
  ...named(
    'fd fdfind',
    table('fd --help', 'word read')`
      -H --hidden -I --no-ignore -u -s -i --ignore-case -g --glob -F -a -l -L --follow -p -0 -d= --max-depth= -t=
      --type= -e= --extension= -E= --exclude= -S= -c= --color= -j= -1 folder: -C= --base-directory= --search-path=
      run: -x= --exec= -X= --exec-batch=`,
  ),
};
