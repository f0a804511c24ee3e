import { checkMode, checkRemoval, checkTar } from '../checks/files.ts';
import { shared, type Table, table } from '../option-table.ts';

const COREUTILS = 'GNU coreutils 9 manual';
const BACKUP = '--backup? -b -S= --suffix=';
const TARGET = '-t= --target-directory=';
const MODES = '-m= --mode= -Z --context?';
const COPY = `-a --archive --attributes-only -d -f --force -i --interactive -H -l --link -L --dereference -n --no-clobber -P --no-dereference -p --preserve? --no-preserve= --parents -R -r
  --recursive --reflink? --remove-destination --sparse= --strip-trailing-slashes -s --symbolic-link -T --no-target-directory -u --update? -v --verbose -x --one-file-system -Z --context? ${BACKUP}`;
const REMOVES: Table = table('the command line of each tool', 'remove', {
  syntax: 'words',
  check: checkRemoval,
})`
    -f --force -v --verbose -g --glob --no-glob --impl= -i --interactive recurse: -r -R -rf -fr`;

/** Programs that create, change, move or remove files. */
export const WRITERS: Readonly<Record<string, Table>> = {
  mkdir: table(COREUTILS, 'write')`-p --parents -v --verbose ${MODES}`,
  mkfifo: table(COREUTILS, 'write')`${MODES}`,
  rmdir: table(COREUTILS, 'write')`--ignore-fail-on-non-empty -p --parents -v --verbose`,
  touch: table(COREUTILS, 'write')`
    -a -c --no-create -d= --date= -f -h --no-dereference -m -t= --time= read: -r= --reference=`,
  cp: table(COREUTILS, 'copy')`${COPY} write: ${TARGET}`,
  mv: table(COREUTILS, 'write')`
    -f --force -i --interactive -n --no-clobber --strip-trailing-slashes -T --no-target-directory -u --update? -v --verbose -Z --context ${BACKUP} write: ${TARGET}`,
  ln: table(COREUTILS, 'write')`
    -f --force -i --interactive -L --logical -n --no-dereference -P --physical -r --relative -s --symbolic -T --no-target-directory -v --verbose ${BACKUP} write: ${TARGET}`,
  install: table(COREUTILS, 'write')`
    -c -C --compare -d --directory -D -g= --group= -m= --mode= -o= --owner= -p --preserve-timestamps -s --strip -T --no-target-directory -v --verbose --preserve-context -Z --context?
    ${BACKUP} write: ${TARGET} run: --strip-program=`,
  truncate: table(COREUTILS, 'write')`
    -c --no-create -o --io-blocks -s= --size= read: -r= --reference=`,
  split: table(COREUTILS, 'read write')`
    -a= --suffix-length= --additional-suffix= -b= --bytes= -C= --line-bytes= -d --numeric-suffixes? -x --hex-suffixes? -e --elide-empty-files -l= --lines= -n= --number= -t= --separator= -u
    --unbuffered --verbose -% run: --filter=`,
  csplit: table(COREUTILS, 'read word')`
    -b= --suffix-format= -k --keep-files --suppress-matched -n= --digits= -s --quiet --silent -z --elide-empty-files write: -f= --prefix=`,
  tee: table(COREUTILS, 'write')`-a --append -i --ignore-interrupts -p --output-error?`,
  unlink: table(COREUTILS, 'write')``,
  chmod: table(COREUTILS, 'word write', {
    replacedBy: '--reference',
    check: checkMode,
  })`
    -c --changes -f --silent --quiet -v --verbose --no-preserve-root --preserve-root -R --recursive -r -w -x -X -s -t -u -g -o read: --reference=`,
  rm: table(COREUTILS, 'remove', {
    check: checkRemoval,
  })`
    -f --force -i -I --interactive? --one-file-system --no-preserve-root --preserve-root? -d --dir -v --verbose recurse: -r -R --recursive`,
  rimraf: REMOVES,
  'del-cli': REMOVES,
  trash: REMOVES,
  patch: table('GNU patch 2.7 manual', 'write')`
    -p= --strip= -F= --fuzz= -l --ignore-whitespace -c -e -n -u -N --forward -R --reverse --merge? -E -Z -T -b --backup --backup-if-mismatch --no-backup-if-mismatch -V= -z= -t --batch -f
    --force -s --quiet --silent --verbose --dry-run --posix --reject-format= --binary --read-only= --quoting-style= -% read: -i= --input= write: -o= --output= -r= --reject-file= -B=
    --prefix= -Y= ask: -d= --directory= -D= --ifdef= -g= --get= --follow-symlinks`,
  ...shared(table('man 1 gzip, bzip2, xz and zstd', 'write')`
    -c --stdout --to-stdout -d --decompress --uncompress -f --force -k --keep -l --list -n --no-name -N --name -q --quiet -S= --suffix= -t --test -v --verbose -z --compress -% --fast --best
    -e --extreme -T= --threads= --rm write: -o= --output-dir-flat= --output-dir-mirror= ask: -r --recursive --files? --files0? --filelist= -D= --patch-from= --train`)`gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd`,
  ...shared(
    table('man 1 dos2unix', 'write')`-q -k -f -i -e -o --oldfile --keepdate`,
  )`dos2unix unix2dos`,
  zip: table('Info-ZIP 3.0: zip -h2', 'write')`
    -r --recurse-paths -q --quiet -v --verbose -j --junk-paths -u --update -f --freshen -FS --filesync -X --no-extra -y --symlinks -D --no-dir-entries -% -g --grow -T --test -l -ll -t= -tt=
    -n= --suffixes= -x= --exclude= -i= --include= -e -o --latest-time -9 -sf -FF -F -z -c -h -h2 -nw -ws -la -li -lf= -ic -A -J -k -L -dc -db -dd -ds= -sb -sp -sv -S -V -w -$ -@ -U -d
    --delete -R -s= -MM -fz -fd -mm -DF -AS -AC -RE -P= -Z= -so write: -O= --output-file= --out= -b= --temp-path= --logfile-path= run: -TT= --unzip-command= ask: -m --move`,
  unzip: table('Info-ZIP 6.0: man 1 unzip', 'read word')`
    -o -q -qq -n -j -l -v -t -p -a -aa -u -f -C -L -z -Z -x= -P= -X write: -d= ask: -: -^`,
  tar: table('GNU tar 1.34 manual', 'write', {
    syntax: 'tar',
    check: checkTar,
  })`
    -A --catenate --concatenate -c --create -d --diff --compare -r --append --test-label -t --list -u --update -x --extract --get -G --incremental --hole-detection= --ignore-failed-read
    --level= -n --seek --no-seek --occurrence? --sparse-version= -S --sparse --exclude= --exclude-backups --exclude-caches --exclude-caches-all --exclude-caches-under --exclude-tag=
    --exclude-tag-all= --exclude-tag-under= --exclude-vcs --exclude-vcs-ignores --no-null --no-recursion --no-unquote --null --recursion --unquote --anchored --ignore-case --no-anchored
    --no-ignore-case --no-wildcards --no-wildcards-match-slash --wildcards --wildcards-match-slash --keep-directory-symlink --keep-newer-files -k --keep-old-files --no-overwrite-dir
    --overwrite --overwrite-dir --skip-old-files -U --unlink-first -W --verify -O --to-stdout --atime-preserve? --clamp-mtime --delay-directory-restore --group= --mode= --mtime= -m --touch
    --no-delay-directory-restore --no-same-owner --no-same-permissions --numeric-owner --owner= -p --preserve-permissions --same-permissions --same-owner --sort= -s --preserve-order
    --same-order --acls --no-acls --no-selinux --no-xattrs --selinux --xattrs --xattrs-exclude= --xattrs-include= --force-local -L= --tape-length= -b= --blocking-factor= -B
    --read-full-records -i --ignore-zeros --record-size= -H= --format= --old-archive --portability --pax-option= --posix -V= --label= -a --auto-compress -j --bzip2 -J --xz --lzip --lzma
    --lzop --no-auto-compress --zstd -z --gzip --gunzip --ungzip -Z --compress --uncompress --backup? --hard-dereference -h --dereference -K= --starting-file= --newer-mtime= -N= --newer=
    --after-date= --one-file-system --suffix= --strip-components= --transform= --xform= --checkpoint? --full-time -l --check-links --quoting-style= -R --block-number --show-defaults
    --show-omitted-dirs --show-transformed-names --show-stored-names --totals? --utc -v --verbose --warning= -o read: -X= --exclude-from= --exclude-ignore= --exclude-ignore-recursive=
    --add-file= --group-map= --owner-map= write: -f= --file= -C= --directory= --one-top-level? -g= --listed-incremental= --volno-file= --index-file= run: -I= --use-compress-program=
    --to-command= --checkpoint-action= -F= --info-script= --new-volume-script= --rsh-command= --rmt-command= ask: -P --absolute-names -T= --files-from= -w --interactive --confirmation -M
    --multi-volume --delete --remove-files --recursive-unlink`,
  rsync: table('man 1 rsync', 'write', {
    check: checkTar,
  })`
    -a --archive -r --recursive -v --verbose -q --quiet -z --compress -n --dry-run -u --update -l --links -L --copy-links -p --perms -t --times -g --group -o --owner -D -h --human-readable
    --progress -P --partial --stats -c --checksum -x -R --relative -H -A -X -W --exclude= --include= -i --itemize-changes --size-only --ignore-existing -m --prune-empty-dirs -C
    --cvs-exclude --chmod= --no-perms --no-owner --no-group --mkpath -d --dirs -E -K -k -I --existing --max-size= --min-size= write: --backup-dir= --temp-dir= -T= --log-file= --partial-dir=
    --write-batch= run: -e= --rsh= --rsync-path= ask: --delete --delete-after --delete-before --delete-during --delete-excluded --del --files-from= --exclude-from= --include-from= -F -f=
    --filter= --remove-source-files --daemon --password-file= --read-batch= -M= --remote-option=`,
  ...shared(
    table('the command line of each tool', 'write', {
      syntax: 'words',
    })`
    -u= --up= -e= --exclude= -a --all -f --flat -F -E -V --verbose -C --clean -w --watch --flat --parents --cwd= --rename= -p --preserve -v --no-overwrite -s`,
  )`cpy cpx cpy-cli copyfiles ncp mkdirp make-dir make-dir-cli`,
  shx: {
    source: 'shx README',
    syntax: 'words',
    verbs: {
      rm: REMOVES,
      cp: table('shx README', 'copy', { syntax: 'words' })`-r -R -f -n -u -L -P -rf`,
      mv: table('shx README', 'write', { syntax: 'words' })`-f -n`,
      mkdir: table('shx README', 'write', { syntax: 'words' })`-p`,
      touch: table('shx README', 'write', { syntax: 'words' })`-a -c -m`,
      chmod: table('shx README', 'word write', { syntax: 'words', check: checkMode })`-R -v -c`,
      echo: table('shx README', 'word', { syntax: 'words' })`-n -e`,
      cat: table('shx README', 'read', { syntax: 'words' })`-n`,
      ls: table('shx README', 'read', { syntax: 'words' })`-R -A -L -d -l`,
    },
  },
};
