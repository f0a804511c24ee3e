import { checkInterpreter, checkShell } from '../checks/code.ts';
import { checkFind } from '../checks/files.ts';
import { asks, denies, shared, type Table, table } from '../option-table.ts';

const NODE_PLAIN = `--test --test-only --watch --check -c --inspect? --enable-source-maps --no-warnings --trace-warnings --trace-deprecation --trace-uncaught --throw-deprecation --expose-gc
  --experimental-strip-types --experimental-transform-types --experimental-vm-modules --experimental-test-coverage --experimental-json-modules --experimental-specifier-resolution=
  --experimental-test-module-mocks --experimental-sqlite --experimental-global-webcrypto --experimental-fetch --experimental-websocket --experimental-worker --experimental-permission
  --experimental-import-meta-resolve --experimental-wasm-modules --experimental-modules --experimental-require-module --no-experimental-fetch --no-deprecation --no-opt --no-network-family-autoselection
  --test-concurrency= --test-name-pattern= --test-skip-pattern= --test-timeout= --test-force-exit --test-coverage-lines= --test-coverage-branches= --test-coverage-functions= --test-coverage-include=
  --test-coverage-exclude= --test-isolation= --test-shard= --conditions= -C= --max-old-space-size= --max-semi-space-size= --stack-trace-limit= --stack-size= --unhandled-rejections=
  --preserve-symlinks --preserve-symlinks-main --input-type= --openssl-legacy-provider --abort-on-uncaught-exception --disable-warning= --no-addons -v -h --test-update-snapshots
  --allow-natives-syntax --harmony --use-strict --cpu-prof --prof --title= --icu-data-dir= --jitless --single-threaded --v8-options --pending-deprecation --report-on-fatalerror`;

const NODE: Table = table('Node.js 24: Command-line API', 'code own', {
  syntax: 'leading',
  language: 'node',
  check: checkInterpreter,
})`${NODE_PLAIN} read: --env-file= --env-file-if-exists= write: --test-reporter-destination= --cpu-prof-dir= --heap-prof-dir= --diagnostic-dir= --redirect-warnings= code: -r= --require=
    --import= --loader= --experimental-loader= --test-reporter= --test-global-setup= --project= -P= -O= --tsconfig= script: -e= --eval= -p= --print= -pe= run: --run= --interactive -i --openssl-config=
    --experimental-config-file= --build-snapshot --snapshot-blob= --inspect-brk? --experimental-default-config-file`;

export const PYTHON_MODULES: Readonly<Record<string, Table>> = {
  ...shared(denies('Python 3.12 library', 'this module uses the network'))`
    http.server SimpleHTTPServer ftplib telnetlib smtpd smtplib webbrowser poplib imaplib nntplib xmlrpc.server xmlrpc.client urllib.request urllib urllib2 http.client socketserver asyncio`,
  ...shared(asks('Python 3.12 library', 'this module can run arbitrary code'))`
    timeit code pdb idlelib ensurepip runpy trace cProfile profile`,
};

const PYTHON: Table = table('Python 3.12: Command line and environment', 'code own', {
  syntax: 'posix',
  language: 'python',
  ends: '-c -m',
  replacedBy: '-c -m',
  modules: PYTHON_MODULES,
  check: checkInterpreter,
})`-b -B -d -E -h -I -O -OO -P -q -s -S -u -v -V -VV -x -W= -X= -Q= --check-hash-based-pycs= -3 -t -R script: -c= module: -m= ask: -i`;

const SED: Table = table('GNU sed 4.9 manual', 'script read', {
  language: 'sed',
  replacedBy: '-e --expression -f --file',
})`-n --quiet --silent --debug -l= --line-length= --posix -E -r --regexp-extended -s --separate --sandbox -u --unbuffered -z --null-data -b --binary script: -e= --expression= edit: -i?
    --in-place? ask: -f= --file= --follow-symlinks`;

const AWK: Table = table('gawk 5 manual; man 1 mawk', 'script read', {
  syntax: 'posix',
  language: 'awk',
  replacedBy: '-e --source -f --file -E --exec',
})`-F= --field-separator= -v= --assign= -b --characters-as-bytes -c --traditional -P --posix -r --re-interval -n --non-decimal-data -N --use-lc-numeric -S --sandbox -O --optimize -s
    --no-optimize -M --bignum -k --csv -h -V -C script: -e= --source= run: -f= --file= -E= --exec= -i= --include= -l= --load= -D? --debug? -W= ask: -d? --dump-variables? -o? --pretty-print?
    -p? --profile? -g --gen-pot -L? --lint? -t --lint-old -I --trace`;

/** Runs a file, or code from the command line, which is not read. */
function interpreter(source: string, options: string): Table {
  return { source, syntax: 'posix', options, operands: ['code', 'own'], check: checkInterpreter };
}

const SHELL = interpreter(
  'Bash 5.2 manual: Invoking Bash',
  `-e -u -x -v -f -l -r -s -p -n -h -B -C -E -T -i -a -b -k -m -t -D -o= -c --login --norc --noprofile --posix --verbose ask: -O= --rcfile= --init-file=`,
);

/** Interpreters of scripts. */
export const LANGUAGES: Readonly<Record<string, Table>> = {
  node: NODE,
  ...shared({
    ...NODE,
    source: 'the command line of each tool, and Node.js 24',
    options: `${NODE.options} plain: --transpile-only -T --esm --swc --files --skip-project --pretty --no-cache --presets= --extensions= --clear-screen`,
  })`tsx ts-node ts-node-esm babel-node esno jiti swc-node`,
  ...shared(PYTHON)`
    python python3 python2 pypy pypy3 python3.8 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14`,
  perl: interpreter(
    'perl 5.36: perlrun',
    `-a -c -h -l# -0# -n -p -s -S -t -T -u -U -v -V? -w -W -X -f -D? -C? -F? code: -I= script: -e= -E= ask: -i? -M? -m? -x? -d?`,
  ),
  ruby: interpreter(
    'ruby 3 --help',
    `-a -c -d -l -n -p -s -S -v -w -W? -y -0# -F? -K? -E= -U --yjit --jit --disable= --enable= --verbose --encoding= --copyright folder: -C= -X= code: -I= -r= script: -e= ask: -i? -x? -T?`,
  ),
  php: interpreter(
    'php 8 --help',
    `-n -q -l -v -m -i -h -s -w -C code: -f= script: -r= -B= -R= -E= ask: -a -c= -d= -z= -F= -t= --ini --rf= --rc= connect: -S=`,
  ),
  ...shared(
    interpreter('lua 5.4 manual', `-v -E -W script: -e= code: -l= ask: -i -j= -b -O?`),
  )`lua luajit`,
  Rscript: {
    ...interpreter(
      'Rscript --help',
      `--vanilla --verbose --no-save --no-restore script: -e= --expression=`,
    ),
    syntax: 'leading',
  },
  ...shared(
    interpreter(
      'the --help of each',
      `-q --quiet --startup-file= --color= -t= --threads= -O= --check-bounds= --code-coverage? folder: --project? script: -e= -E= --eval= --print= code: -L= --load=`,
    ),
  )`julia groovy scala`,
  elixir: {
    ...interpreter(
      'elixir --help',
      `-v --no-halt --hidden --name= --sname= --cookie= script: -e= --eval= --rpc-eval+ code: -r= -pr= -pa= -pz= -S= run: --erl= --boot=`,
    ),
    syntax: 'leading',
  },
  ...shared({ ...SHELL, operands: ['word'], check: checkShell })`bash sh dash zsh ksh`,
  ...shared(interpreter('Bash 5.2 manual: Bourne Shell Builtins', ''))`source .`,
  sed: SED,
  gsed: SED,
  ...shared(AWK)`awk gawk mawk nawk`,
  find: table('GNU findutils 4.9 manual', 'read', {
    syntax: 'words',
    check: checkFind,
  })`
    -H -L -P -D= -O* -amin= -anewer= -atime= -cmin= -cnewer= -ctime= -empty -executable -false -fstype= -gid= -group= -ilname= -iname= -inum= -ipath= -iregex= -iwholename= -links= -lname=
    -mmin= -mtime= -name= -newer= -newermt= -newerct= -newerat= -nogroup -nouser -path= -perm= -readable -regex= -size= -true -type= -uid= -used= -user= -wholename= -writable -xtype= -a
    -and -o -or -not -daystart -depth -d -follow -ignore_readdir_race -maxdepth= -mindepth= -mount -noignore_readdir_race -noleaf -regextype= -warn -nowarn -xdev -print -print0 -printf= -ls
    -prune -quit -delete -exec; -execdir; -ok; -okdir; read: -samefile= ask: -fprint= -fprint0= -fprintf+ -fls= -files0-from=`,
  ...shared(table('fd --help', 'word read')`
    -H --hidden -I --no-ignore -u -s --case-sensitive -i --ignore-case -g --glob -F --fixed-strings -a --absolute-path -l --list-details -L --follow -p --full-path -0 --print0 -d=
    --max-depth= --min-depth= -t= --type= -e= --extension= -E= --exclude= -S= --size= --changed-within= --changed-before= -c= --color= -j= --threads= -q --quiet -1 folder: -C=
    --base-directory= --search-path= run: -x= --exec= -X= --exec-batch=`)`fd fdfind`,
};
