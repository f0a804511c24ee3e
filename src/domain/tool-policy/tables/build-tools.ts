import { checkGoPackages, checkMake, checkPublishing } from '../checks/code.ts';
import { asks, denies, shared, type Table, table } from '../option-table.ts';
import { PYTHON_MODULES } from './languages.ts';
import { REPOSITORY_TOOLS } from './tools.ts';

const GCC: Table = table('GCC 12 manual: Option Summary; Clang command line reference', 'own', {
  syntax: 'words',
})`-c -S -E -g* -O* -W* -w -std=* -D& -U& -l& -m* -f* -pthread -pipe -shared -static -static-libgcc -static-libstdc++ -rdynamic -nostdlib -nostartfiles -nodefaultlibs -nostdinc -s -v -V -P
    -C -x= -u= -ansi -pedantic -pedantic-errors -M -MM -MD -MMD -MP -MG -MT= -MQ= -dM -dD -### -arch= -target= --target=* --std=* -no-pie -pie -undefined= -dynamiclib -bundle -framework=
    -Qunused-arguments -dumpversion -dumpmachine -print-* read: -I& -L& -isystem= -iquote= -idirafter= -include= -imacros= --sysroot=* -isysroot= -F& -T= write: -o& -MF= -dumpdir=
    -dumpbase= -aux-info= --serialize-diagnostics= run: -wrapper= -B& -specs=* --specs=* -fplugin* -fuse-ld=* -ld-path=* --ld-path=* -Wl,* -Wa,* -Wp,* -Xlinker= -Xassembler= -Xpreprocessor=
    -Xclang= -load= -no-canonical-prefixes -save-temps* -fprofile-* -fdump-* -fmodule-mapper* -ccc-* --config=* -iplugindir*`;

const MAKE: Table = table('GNU make 4.3 manual: Options Summary', 'own', {
  check: checkMake,
})`
    -b -m -B --always-make -d --debug? -e --environment-overrides -i --ignore-errors -j? --jobs? -k --keep-going -l? --load-average? --max-load? -L --check-symlink-times -n --just-print
    --dry-run --recon -o= --old-file= --assume-old= -O? --output-sync? -p --print-data-base -q --question -r --no-builtin-rules -R --no-builtin-variables -s --silent --quiet --no-silent -S
    --no-keep-going --stop -t --touch --trace -v -h -w --print-directory --no-print-directory -W= --what-if= --new-file= --assume-new= --warn-undefined-variables folder: -C= --directory=
    code: -f= --file= --makefile= -I= --include-dir= run: -E= --eval=`;

const GO_BUILD: Table = table('go help build, test, vet and list', 'own', {
  syntax: 'go',
  risky: /-extld|-linkmode|-extldflags|-fplugin|-tmpdir|-I[ =]/,
  check: checkGoPackages,
})`-v -x -n -a -race -msan -asan -cover -covermode= -coverpkg= -p= -tags= -trimpath -mod= -buildvcs= -buildmode= -gcflags= -asmflags= -ldflags= -work -short -run= -skip= -bench= -benchmem
    -benchtime= -count= -cpu= -failfast -json -list= -parallel= -shuffle= -timeout= -fullpath -vet= -fuzz= -fuzztime= -fuzzminimizetime= -m -u -deps -test -e -f= -find -export -compiled
    -retracted -versions -cache -testcache -modcache -fuzzcache -i -r -c -compat= -go= -diff -all -src -cmd -buildid folder: -C= write: -o= -coverprofile= -cpuprofile= -memprofile=
    -blockprofile= -mutexprofile= -trace= -outputdir= -pkgdir= run: -exec= -toolexec= -overlay= -modfile= -vettool= -gccgoflags= -compiler= -installsuffix= -pgo= -pkgdir=`;

const ADDS: Table = asks('go help get', 'it adds a package that is not in the lock file');

const GO: Table = table('go help', '', {
  syntax: 'go',
  verbs: {
    ...shared(GO_BUILD)`
    build test vet fmt generate list install version clean doc fix work bug help`,
    run: GO_BUILD,
    mod: {
      source: 'go help mod',
      syntax: 'go',
      verbs: {
        ...shared({
          ...GO_BUILD,
          source: 'go help mod',
        })`
    tidy download verify vendor graph why init`,
        edit: { ...GO_BUILD, syntax: 'unknown' },
      },
      other: ADDS,
    },
    env: table('go help env', 'word', { syntax: 'go' })`-json -changed ask: -w -u`,
    get: ADDS,
    tool: {
      source: 'go help tool',
      syntax: 'go',
      verbs: shared({
        ...table('go tool -help', 'own', { syntax: 'go' })``,
        options: `-func= -html= -mode= -svg -png -top -text -tree -inuse_space -inuse_objects -alloc_space -asmdecl -atomic -bool -buildtags -copylocks -methods -nilfunc write: -o= -output= connect:
    -http=`,
      })`cover pprof vet nm objdump`,
      other: asks('go help tool', 'it runs a tool by its own rules'),
    },
  },
})`folder: -C=`;

const PYTEST: Table = table('pytest 8 --help', 'own')`
    -v -vv --verbose -q --quiet -x --exitfirst --maxfail= -k= -m= -s --capture= --tb= -l --showlocals -r= --lf --last-failed --ff --failed-first --sw --stepwise --nf --new-first
    --durations= --durations-min= --color= --collect-only --co --strict-markers --strict-config --strict --disable-warnings --no-header --no-summary -n= --numprocesses= --dist= --cov?
    --cov-branch --no-cov --cov-fail-under= --cov-append --no-cov-on-fail --timeout= --reruns= --ignore= --ignore-glob= --deselect= --cache-clear --cache-show? --fixtures --markers --pyargs
    --import-mode= --benchmark-only --benchmark-skip --benchmark-disable --benchmark-autosave --asyncio-mode= --snapshot-update --runxfail --setup-show --full-trace --random-order
    --randomly-seed= -W= --pythonwarnings= --log-level= --log-cli-level= --doctest-modules --doctest-glob= --nbval --mypy --flake8 --black --isort --ds= --reuse-db --create-db
    --nomigrations --no-migrations --hypothesis-seed= --hypothesis-profile= --forked --boxed --last-failed-no-failures= --junit-prefix= --show-capture= --assert= --tx= --maxprocesses=
    --numprocesses= --profile --slow --runslow --hypothesis-show-statistics -p= write: --junitxml= --junit-xml= --basetemp= --log-file= --report-log= --html= --cov-report= --pastebin=
    --result-log= --debug? code: -c= --config-file= --rootdir= --confcutdir= --cov-config= run: -o= --override-ini= --pdbcls= --pdb --trace`;

/** Programs that measure the coverage of another program. */
const COVERAGE_OF_NODE: Table = table('nyc 17 and c8 10: --help of each', 'own', {
  syntax: 'yargs',
})`
    --reporter= -r= --all -a --check-coverage --clean --skip-full --cache --per-file --experimental-monocart --exclude-after-remap --no-clean --100 --instrument --include= -n= --exclude=
    -x= --lines= --branches= --functions= --statements= --extension= -e= --temp-dir= -i --hook-require= --produce-source-map --show-process-tree --skip-empty --text-exclude --silent -s
    write: --report-dir= --reports-dir= --temp-directory= -t= -o= folder: --cwd= --src= code: --nycrc-path= --config= -c= --require=`;

const COVERAGE: Table = {
  source: 'coverage 7 help',
  verbs: {
    run: table('coverage help run', 'code own', {
      syntax: 'posix',
      ends: '-m --module',
      replacedBy: '-m --module',
      modules: PYTHON_MODULES,
    })`-a --append --branch --concurrency= --context= --include= --omit= -p --parallel-mode -L --pylib --source= --timid write: --data-file= code: --rcfile= ask: --debug= module: -m= --module=`,
    ...shared(table('coverage help', 'own')`
    -m --show-missing --skip-covered --skip-empty --fail-under= -i --ignore-errors --include= --omit= --precision= --sort= --format= -a --append --keep -q --quiet --pretty-print --title=
    --contexts= --show-contexts write: -d= --directory= -o= --data-file= code: --rcfile=`)`report html xml json lcov combine erase annotate debug help`,
  },
};

const JVM_BUILD: Table = table('gradle --help; mvn --help', 'own', {
  syntax: 'words',
  check: checkPublishing,
})`
    -q --quiet -i --info -d --debug -s --stacktrace --full-stacktrace -S -w --warn --no-daemon --daemon --offline --parallel --no-parallel --build-cache --no-build-cache --rerun-tasks
    --refresh-dependencies --continue --console= --warning-mode= --configuration-cache --no-configuration-cache -x= --exclude-task= --tests= -a --max-workers= --scan --no-scan --profile
    --dry-run -m -t --continuous --configure-on-demand -P* -B --batch-mode -ntp --no-transfer-progress -o -e --errors -X -U -T= --threads= -pl= --projects= -am --also-make -amd -rf=
    --fail-at-end -fae -ff -fn -N --non-recursive -V --show-version -D* folder: -p= --project-dir= code: -f= --file= -b= --build-file= --settings-file= -c= --settings= write:
    --project-cache-dir= -l= --log-file= run: -I= --init-script= -Dexec* -Dmaven.ext* -Dorg.gradle.jvmargs* -Dorg.gradle.java* -Dmaven.multiModule* -g= --gradle-user-home= --include-build=
    -gs= -gt=`;

/** Tools that build, check and test the repository. */
export const BUILD_TOOLS: Readonly<Record<string, Table>> = {
  ...REPOSITORY_TOOLS,
  ...shared(COVERAGE_OF_NODE)`nyc c8`,
  ...shared(GCC)`gcc g++ cc c++ clang clang++`,
  ...shared(MAKE)`make gmake bmake`,
  ninja: {
    ...MAKE,
    source: 'ninja --help',
    options: `-v -j= -k= -l= -n -d= --verbose --quiet folder: -C= code: -f= run: -t=`,
  },
  go: GO,
  ...shared(PYTEST)`pytest py.test`,
  coverage: COVERAGE,
  ...shared(JVM_BUILD)`mvn mvnw gradle gradlew`,
  java: table('man 1 java, JDK 21', 'own', {
    syntax: 'leading',
  })`
    -Xm* -Xs* -Xint -Xcomp -XX:* -D* -ea* -da* -esa -server -client -showversion --add-opens= --add-exports= --add-modules= --enable-preview --enable-native-access= -version --show-version
    read: -cp= -classpath= --class-path= -p= --module-path= code: -jar= run: -javaagent* -agentlib* -agentpath* -XX:OnError* -XX:OnOutOfMemoryError* -XX:Flags* -XX:VMOptionsFile*
    -Xbootclasspath* -Xrun* --patch-module=`,
  cmake: table('man 1 cmake', 'own', {
    syntax: 'words',
  })`
    -D& -U& -G= -A= -T= --build= --config= --target= -t= --clean-first -j& --parallel& --preset= --workflow --fresh --verbose -v --install= --component= --strip --log-level= -Wno-dev -Wdev
    --list-presets --trace --graphviz= -N -L -LA -LH -LAH read: -S& write: -B& --prefix= --install-prefix= run: -E* -P* -C* --open --system-information --debugger -DCMAKE_C_COMPILER*
    -DCMAKE_CXX_COMPILER* -DCMAKE_PROJECT_* -DCMAKE_TOOLCHAIN_FILE* -DCMAKE_C_LINKER* -DCMAKE_CXX_LINKER*`,
  deno: {
    source: 'deno 2 --help',
    syntax: 'words',
    verbs: {
      ...shared(table('deno 2 --help', 'code own', {
        syntax: 'leading',
      })`
    -q --quiet --check? --no-check? --watch? -A --allow-all --allow-read? --allow-write? --allow-env? --allow-sys? --allow-net? --unstable* --fix --parallel --fail-fast? --filter= --doc
    --no-prompt --cached-only --frozen? --json --ignore= read: --env-file? code: --config= -c= --import-map= write: --coverage? --output= --junit-path= run: --allow-run? --allow-ffi? --ext=
    --preload= --v8-flags*`)`run test fmt lint check task bench compile bundle doc info cache coverage`,
      ...shared(asks('deno 2 --help', 'it runs code from the command line'))`eval repl`,
      ...shared(ADDS)`install add remove publish deploy upgrade`,
    },
  },
  openssl: {
    source: 'openssl 3 help',
    syntax: 'words',
    verbs: shared(table('openssl 3 help', 'own', {
      syntax: 'words',
    })`
    -a -d -e -hex -base64 -sha256 -sha1 -md5 -noout -text -subject -issuer -dates -fingerprint -modulus -x509 -new -nodes -newkey= -days= -subj= -algorithm= -pkeyopt= -name= -genkey -pubout
    -pubin -inform= -outform= -addext= -extensions= -binary -r read: -in= -inkey= -key= -CA= -CAkey= -extfile= write: -out= -keyout= ask: -config= -engine= -provider= -provider-path=`)`version dgst rand sha256 md5 base64 x509 req genrsa genpkey rsa ec ecparam pkey`,
    other: denies('openssl 3 help', 'it connects to other machines, or its effect is unknown'),
  },
  terraform: {
    source: 'terraform -help',
    syntax: 'words',
    verbs: shared(
      table('terraform -help', 'own', {
        syntax: 'words',
      })`
    -check -diff -recursive -write=* -list=* -json -no-color`,
    )`fmt validate version`,
    other: asks('terraform -help', 'it connects to the machines that it describes'),
  },
  helm: {
    source: 'helm help',
    verbs: shared(
      table('helm help', 'own')`
    --strict --quiet --debug --set= --namespace= -n= read: -f= --values=`,
    )`lint template version`,
    other: asks('helm help', 'it connects to a cluster'),
  },
};
