import { checkGoPackages, checkMake, checkPublishing } from '../checks/code.ts';
import { asks, denies, named, type Table, table } from '../option-table.ts';
import { PYTHON_MODULES } from './languages.ts';

const GCC: Table = table('GCC 12 manual: Option Summary; Clang command line reference', 'own', {
  syntax: 'words',
})`-c -S -E -g* -O* -W* -w -std=* -D& -U& -l& -m* -f* -s -v -P -x= -u= -M -MD -MMD -MP -pthread -shared -static
  --target=* -print-* read: -I& -L& -isystem= -iquote= -idirafter= -include= -imacros= --sysroot=* -isysroot= -F& -T=
  write: -o& -MF= -dumpdir= -dumpbase= -aux-info= --serialize-diagnostics= run: -wrapper= -B& -specs=* --specs=*
  -fplugin* -fuse-ld=* -ld-path=* --ld-path=* -Wl,* -Wa,* -Wp,* -Xlinker= -Xassembler= -Xpreprocessor= -Xclang= -load=
  -save-temps* -fprofile-* -fdump-* -fmodule-mapper* -ccc-* --config=* -iplugindir*`;

const MAKE: Table = table('GNU make 4.3 manual: Options Summary', 'own', { check: checkMake })`
  -b -m -B --always-make -d --debug? -e -i -j? --jobs? -k --keep-going -l? -L -n --just-print --dry-run -o=
  --old-file= -O? -p -q --question -r -R -s --silent --quiet -S -t --touch --trace -v -h -w --no-print-directory -W=
  --what-if= folder: -C= --directory= code: -f= --file= --makefile= -I= --include-dir= run: -E= --eval=`;

const NINJA: Table = table('ninja --help', 'own', { check: checkMake })`
  -v -j= -k= -l= -n -d= --verbose --quiet folder: -C= code: -f= run: -t=`;

const GO_BUILD: Table = table('go help build, test, vet and list', 'own', {
  syntax: 'go',
  risky: /-extld|-linkmode|-extldflags|-fplugin|-tmpdir|-I[ =]/,
  check: checkGoPackages,
})`-v -x -n -a -race -cover -covermode= -coverpkg= -p= -tags= -trimpath -mod= -buildvcs= -buildmode= -gcflags=
  -ldflags= -short -run= -skip= -bench= -benchmem -benchtime= -count= -cpu= -failfast -json -list= -parallel=
  -shuffle= -timeout= -vet= -fuzz= -fuzztime= -m -u -deps -e -f= -cache -testcache -modcache -i -r -c -s -w -d -l -all
  folder: -C= write: -o= -coverprofile= -cpuprofile= -memprofile= -blockprofile= -mutexprofile= -trace= -outputdir=
  -pkgdir= run: -exec= -toolexec= -overlay= -modfile= -vettool= -gccgoflags= -compiler= -installsuffix= -pgo=`;

const ADDS: Table = asks('go help get', 'it adds a package that is not in the lock file');

const GO: Table = {
  source: 'go help',
  syntax: 'go',
  options: 'folder: -C=',
  verbs: {
    ...named(
      'build test vet fmt generate list install version clean doc fix work help run',
      GO_BUILD,
    ),
    mod: {
      ...GO_BUILD,
      verbs: {
        ...named('tidy download verify vendor graph why init', GO_BUILD),
        edit: { ...GO_BUILD, syntax: 'unknown' },
      },
      other: ADDS,
    },
    env: table('go help env', 'word', { syntax: 'go' })`-json -changed ask: -w -u`,
    get: ADDS,
    tool: {
      ...GO_BUILD,
      verbs: named(
        'cover pprof vet nm objdump',
        table('go tool -help', 'own', {
          syntax: 'go',
        })`-func= -html= -svg write: -o= -output= connect: -http=`,
      ),
      other: asks('go help tool', 'it runs a tool by its own rules'),
    },
  },
};

const PYTEST: Table = table('pytest 8 --help', 'own')`
  -v --verbose -q --quiet -x --exitfirst --maxfail= -k= -m= -s --capture= --tb= -l --showlocals -r= --lf --last-failed
  --ff --stepwise --durations= --color= --collect-only --co --strict-markers --disable-warnings --no-header -n=
  --numprocesses= --dist= --cov? --no-cov --cov-fail-under= --timeout= --reruns= --ignore= --deselect= --cache-clear
  --fixtures --markers --pyargs --import-mode= --benchmark-only --benchmark-skip --asyncio-mode= -W= --log-level=
  --log-cli-level= --doctest-modules --reuse-db --create-db --runslow -p= write: --junitxml= --junit-xml= --basetemp=
  --log-file= --report-log= --html= --cov-report= --result-log= --debug? code: -c= --config-file= --rootdir=
  --confcutdir= --cov-config= run: -o= --override-ini= --pdbcls= --pdb --trace connect: --pastebin=`;

/** Programs that measure the coverage of another program. */
const COVERAGE_OF_NODE: Table = table('nyc 17 and c8 10: --help of each', 'own', {
  syntax: 'yargs',
})`--reporter= -r= --all -a --check-coverage --clean --cache --100 --include= -n= --exclude= -x= --lines= --branches=
  --functions= --extension= -e= -i --silent -s write: --report-dir= --reports-dir= --temp-directory= -t= -o= folder:
  --cwd= --src= code: --nycrc-path= --config= -c= --require=`;

const COVERAGE: Table = {
  source: 'coverage 7 help',
  verbs: {
    run: table('coverage help run', 'code own', {
      syntax: 'posix',
      ends: '-m --module',
      replacedBy: '-m --module',
      modules: PYTHON_MODULES,
    })`-a --branch --include= --omit= -p --source= write: --data-file= code: --rcfile= ask: --debug= module: -m=
      --module=`,
  },
  other: table('coverage help', 'own')`
    -m --fail-under= -i --include= --omit= -a --keep -q write: -d= --directory= -o= --data-file= code: --rcfile=`,
};

const JVM_BUILD: Table = table('gradle --help; mvn --help', 'own', {
  syntax: 'words',
  check: checkPublishing,
})`-q --quiet -i --info -d --debug --stacktrace -S -w --no-daemon --daemon --offline --parallel --build-cache
  --no-build-cache --rerun-tasks --refresh-dependencies --continue --console= --configuration-cache -x=
  --exclude-task= --tests= --scan --profile --dry-run -m -t -P* -B --batch-mode --no-transfer-progress -o -e --errors
  -X -U -T= -pl= --projects= -am -ntp -rf= --fail-at-end -N -V -D* folder: -p& --project-dir= code: -f& --file= -b&
  --build-file= --settings-file= -c& --settings= write: --project-cache-dir= -l& --log-file= run: -I& --init-script=
  -Dexec* -Dmaven.ext* -Dorg.gradle.jvmargs* -Dorg.gradle.java* -Dmaven.multiModule* -g& --gradle-user-home=
  --include-build= -gs& -gt=`;

const JAVA: Table = table('man 1 java, JDK 21', 'own', { syntax: 'leading' })`
  -Xm* -Xs* -XX:* -D* -ea* -da* read: -cp= -classpath= --class-path= -p= --module-path= code: -jar= run: -javaagent*
  -agentlib* -agentpath* -XX:OnError* -XX:OnOutOfMemoryError* -XX:Flags* -XX:VMOptionsFile* -Xbootclasspath* -Xrun*
  --patch-module=`;

const CMAKE: Table = table('man 1 cmake', 'own', { syntax: 'words', check: checkMake })`
  -D& -U& -G= -A= -T= --build= --config= --target= -t= -j& --parallel& --verbose -v --log-level= -L* read: -S& write:
  -B& --prefix= --install-prefix= run: -E* -P* -C* --open --debugger -DCMAKE_C_COMPILER* -DCMAKE_CXX_COMPILER*
  -DCMAKE_PROJECT_* -DCMAKE_TOOLCHAIN_FILE* -DCMAKE_C_LINKER* -DCMAKE_CXX_LINKER*`;

/** Tools that build, check and test the repository. */
export const BUILD_TOOLS: Readonly<Record<string, Table>> = {
  ...named('nyc c8', COVERAGE_OF_NODE),
  ...named('gcc g++ cc c++ clang clang++', GCC),
  ...named('make gmake bmake', MAKE),
  ninja: NINJA,
  go: GO,
  ...named('pytest py.test', PYTEST),
  coverage: COVERAGE,
  ...named('mvn mvnw gradle gradlew', JVM_BUILD),
  java: JAVA,
  cmake: CMAKE,
  openssl: {
    source: 'openssl 3 help',
    verbs: named(
      'version dgst rand sha256 md5 base64 x509 req genrsa genpkey rsa ec ecparam pkey',
      table('openssl 3 help', 'own', { syntax: 'words' })`
        -hex -base64 -noout -text -in= -inkey= -key= -CA= write: -out= -keyout= ask: -config= -engine= -provider=`,
    ),
    other: denies('openssl 3 help', 'it connects to other machines, or its effect is unknown'),
  },
  ...named('terraform helm', {
    source: 'terraform -help; helm help',
    verbs: named(
      'fmt validate version lint template',
      table('help of each', 'own')`-check -diff -f= --values=`,
    ),
    other: asks('terraform -help; helm help', 'it connects to the machines that it describes'),
  }),
};
