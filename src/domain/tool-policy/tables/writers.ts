import { checkMode, checkRemoval, checkTar } from '../checks/files.ts';
import { named, type Table, table } from '../option-table.ts';

const COREUTILS = 'GNU coreutils 9 manual';
const TOOL = 'the command line of each tool';
const MOVE = `-f --force -i --interactive -n --no-clobber -T --no-target-directory -u --update? -v --verbose --backup?
  -b -S= --suffix= write: -t= --target-directory=`;
const COPY = `${MOVE} plain: -a --archive -d -H -l --link -L --dereference -P --no-dereference -p --preserve?
  --no-preserve= --parents -R -r --recursive --remove-destination -s -x --one-file-system -Z --context?`;

const removes = table(TOOL, 'write', { syntax: 'words', check: checkRemoval })`
  -f --force -v -g --glob -i recurse: -r -R -rf -fr`;
const writes = table(TOOL, 'write', { syntax: 'words' })`
  -u= -e= --exclude= -a --all -f -F -E -V -C --clean -w --watch --parents --cwd= --rename= -p -v -s -n -m -c`;

const TAR = table('GNU tar 1.34 manual', 'write', { syntax: 'tar', check: checkTar })`
  -A -c --create -d --diff -r --append -t --list -u --update -x --extract --get --exclude= --exclude-vcs
  --no-recursion --null --wildcards --ignore-case -k --keep-old-files --overwrite -U -W --verify -O --to-stdout
  --group= --mode= --mtime= -m --touch --no-same-owner --numeric-owner --owner= -p --sort= -s -S -b= -B -i -H=
  --format= --posix -V= --label= -a --auto-compress -j --bzip2 -J --xz --zstd -z --gzip -Z --compress -h --dereference
  -K= -L= -N= --one-file-system --suffix= --backup? --strip-components= --transform= -l -R --totals? -v --verbose -o
  -n -G read: -X= --exclude-from= --exclude-ignore= --exclude-ignore-recursive= --add-file= --group-map= --owner-map=
  write: -f= --file= -C= --directory= --one-top-level? -g= --listed-incremental= --volno-file= --index-file= run: -I=
  --use-compress-program= --to-command= --checkpoint-action= -F= --info-script= --new-volume-script= --rsh-command=
  --rmt-command= ask: -P --absolute-names -T= --files-from= -w --interactive --confirmation -M --multi-volume --delete
  --remove-files --recursive-unlink`;

const RSYNC = table('man 1 rsync', 'write', { check: checkTar })`
  -a --archive -r --recursive -v --verbose -q --quiet -z --compress -n --dry-run -u --update -l --links -L -p --perms
  -t --times -g -o -D -h --progress -P --partial --stats -c --checksum -x -R --relative -H -A -X -W --exclude=
  --include= -i --itemize-changes -m -C --chmod= -d -E -K -k -I -B= -S write: --backup-dir= --temp-dir= -T=
  --log-file= --partial-dir= --write-batch= --only-write-batch= run: -e= --rsh= --rsync-path= ask: --delete
  --delete-after --delete-before --delete-during --delete-excluded --del --files-from= --exclude-from= --include-from=
  -F -f= --filter= --remove-source-files --daemon --password-file= --read-batch= -M= --remote-option=`;

const COMPRESS = table('man 1 gzip, bzip2, xz and zstd', 'write')`
  -c --stdout --to-stdout -d --decompress -f --force -k --keep -l --list -n --no-name -N --name -q --quiet -S=
  --suffix= -t --test -v --verbose -z --compress -% --fast --best -e --extreme -T= --threads= write: -o=
  --output-dir-flat= --output-dir-mirror= ask: -r --recursive --files? --files0? --filelist= -D= --patch-from= --train`;

/** Programs that create, change, move or remove files. */
export const WRITERS: Readonly<Record<string, Table>> = {
  ...named(
    'mkdir mkfifo',
    table(COREUTILS, 'write')`
      -p --parents -v --verbose -m= --mode= -Z`,
  ),
  rmdir: table(COREUTILS, 'write')`--ignore-fail-on-non-empty -p --parents -v --verbose`,
  touch: table(COREUTILS, 'write')`
    -a -c --no-create -d= --date= -f -h -m -t= read: -r= --reference=`,
  cp: table(COREUTILS, 'copy')`${COPY}`,
  mv: table(COREUTILS, 'write')`${MOVE}`,
  ln: table(COREUTILS, 'write')`${COPY}`,
  install: table(COREUTILS, 'write')`
    -c -C -d -D -g= --group= -m= --mode= -o= --owner= -p -s --strip -T -v --verbose -Z --context? --backup? -b -S=
    --suffix= write: -t= --target-directory= run: --strip-program=`,
  truncate: table(COREUTILS, 'write')`-c --no-create -o -s= --size= read: -r= --reference=`,
  split: table(COREUTILS, 'read write')`
    -a= --suffix-length= --additional-suffix= -b= --bytes= -C= --line-bytes= -d --numeric-suffixes? -x -e -l= --lines=
    -n= --number= -t= --separator= -u --verbose -% run: --filter=`,
  csplit: table(COREUTILS, 'read word')`
    -b= --suffix-format= -k -n= --digits= -s --quiet --silent -z write: -f= --prefix=`,
  tee: table(COREUTILS, 'write')`-a --append -i -p`,
  unlink: table(COREUTILS, 'write', { check: checkRemoval })``,
  chmod: table(COREUTILS, 'word write', { replacedBy: '--reference', check: checkMode })`
    -c --changes -f --silent --quiet -v --verbose --no-preserve-root --preserve-root -R --recursive -r -w -x -X -s -t
    -u -g -o read: --reference=`,
  rm: table(COREUTILS, 'write', { check: checkRemoval })`
    -f --force -i -I --interactive? --one-file-system --no-preserve-root --preserve-root? -d --dir -v --verbose
    recurse: -r -R --recursive`,
  ...named('rimraf del-cli trash', removes),
  ...named('cpy cpx cpy-cli copyfiles ncp mkdirp make-dir make-dir-cli dos2unix unix2dos', writes),
  patch: table('GNU patch 2.7 manual', 'write')`
    -p= --strip= -F= --fuzz= -l -c -e -n -u -N --forward -R --reverse --merge? -E -T -b --backup -V= -z= -t --batch -f
    --force -s --quiet --silent --verbose --dry-run --binary -% read: -i= --input= write: -o= --output= -r=
    --reject-file= -B= --prefix= -Y= ask: -d= --directory= -D= --ifdef= -g= --get= --follow-symlinks`,
  ...named('gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd', COMPRESS),
  zip: table('Info-ZIP 3.0: zip -h2', 'write')`
    -r --recurse-paths -q --quiet -v --verbose -j --junk-paths -u --update -f --freshen -FS -X -y --symlinks -D -% -g
    --grow -T --test -l -ll -t= -tt= -n= --suffixes= -x= --exclude= -i= --include= -e -o -9 -sf -FF -F -z -c -h -h2
    -nw -ws -la -li -lf= -ic -A -J -k -L -dc -db -dd -ds= -sb -sp -sv -S -V -w -$ -@ -U -d --delete -R -s= -MM -fz -fd
    -mm -DF -AS -AC -RE -P= -Z= -so write: -O= --output-file= --out= -b= --temp-path= --logfile-path= run: -TT=
    --unzip-command= ask: -m --move`,
  unzip: table('Info-ZIP 6.0: man 1 unzip', 'read word')`
    -o -q -qq -n -j -l -v -t -p -a -u -f -C -L -z -Z -x= -P= -X write: -d= ask: -: -^`,
  tar: TAR,
  rsync: RSYNC,
  shx: {
    source: 'shx README',
    syntax: 'words',
    verbs: {
      rm: removes,
      cp: table('shx README', 'copy', { syntax: 'words' })`
        -r -R -f -n -u -L -P -rf`,
      ...named('mv mkdir touch', writes),
      chmod: table('shx README', 'word write', { syntax: 'words', check: checkMode })`-R -v -c`,
      echo: table('shx README', 'word', { syntax: 'words' })`-n -e`,
      ...named(
        'cat ls',
        table('shx README', 'read', { syntax: 'words' })`
          -n -R -A -L -d -l`,
      ),
    },
  },
};
