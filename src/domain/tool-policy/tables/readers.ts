import { shared, type Table, table } from '../option-table.ts';

const COREUTILS = 'GNU coreutils 9 manual';

/** No option of these writes or runs anything; listed are those with a value that is not a file. */
const PLAIN: Readonly<Record<string, string>> = {
  'cat rev tsort tac expand unexpand zcat bzcat size readlink cd shellcheck pathchk md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum sum shasum md5':
    '',
  'head tail': '-c= --bytes= -n= --lines= -s= --sleep-interval= --pid= --max-unchanged-stats=',
  ls: '-I= --ignore= --hide= -w= --width= -T= --tabsize= --block-size= --sort= --time= --time-style= --format= --indicator-style= --quoting-style=',
  stat: '-c= --format= --printf= --cached=',
  df: '-B= --block-size= -t= --type= -x= --exclude-type=',
  cmp: '-i= --ignore-initial= -n= --bytes=',
  comm: '--output-delimiter=',
  cut: '-b= --bytes= -c= --characters= -d= --delimiter= -f= --fields= --output-delimiter=',
  nl: '-b= -d= -f= -h= -i= -l= -n= -s= -v= -w= --number-separator= --number-width=',
  'fold fmt': '-w= --width= -p= --prefix= -g= --goal=',
  paste: '-d= --delimiters=',
  join: '-a= -e= -j= -o= -t= -v= -1= -2=',
  column:
    '-n= -O= -N= -l= -E= -H= -R= -T= -W= -r= -i= -p= -c= -o= -s= --separator= --output-separator= --output-width= --table-columns=',
  od: '-A= -j= -N= -S= -t= --format= --address-radix= --skip-bytes= --read-bytes= --endian=',
  hexdump: '-e= -n= -s= --format= --length= --skip=',
  realpath: '',
  base64: '-w= --wrap=',
  cksum: '-a= --algorithm= -l= --length=',
  strings: '-n= --bytes= -t= --radix= -e= --encoding=',
  'nm objdump readelf': '-t= -j= -M= -x= -p=',
};

const GREP = `-E --extended-regexp -F --fixed-strings -G --basic-regexp -P --perl-regexp -e= --regexp= -i --ignore-case --no-ignore-case -w --word-regexp -x --line-regexp
  -z --null-data -s --no-messages -v --invert-match -V -m= --max-count= -b --byte-offset -n --line-number --line-buffered -H --with-filename -h --no-filename --label=
  -o --only-matching -q --quiet --silent --binary-files= -a --text -I -d= --directories= -D= --devices= -r --recursive -R --dereference-recursive --include= --exclude=
  --exclude-dir= -L --files-without-match -l --files-with-matches -c --count -T --initial-tab -Z --null -B= --before-context= -A= --after-context= -C= --context=
  --group-separator= --no-group-separator --color? --colour? -U --binary -%`;
const RG = `-e= --regexp= -i --ignore-case -S --smart-case -s --case-sensitive -F --fixed-strings -w --word-regexp -x --line-regexp -v --invert-match -g= --glob= --iglob= -t= --type=
  -T= --type-not= --type-list -l --files-with-matches --files-without-match --files -c --count --count-matches -n --line-number -N --no-line-number -H --with-filename -I --no-filename
  -o --only-matching -m= --max-count= -A= --after-context= -B= --before-context= -C= --context= -u --unrestricted --hidden -. --no-ignore --no-ignore-vcs --no-heading --heading
  --color= --colors= -p --pretty --column --trim --json -U --multiline --multiline-dotall -P --pcre2 -r= --replace= --sort= --sortr= -d= --max-depth= --maxdepth= -M= --max-columns=
  -q --quiet --stats -j= --threads= -L --follow --no-messages -a --text -E= --encoding= --vimgrep -0 --null --passthru --max-filesize= --no-config --one-file-system`;

/** Programs that read files; the exceptions are options that write or run something. */
export const READERS: Readonly<Record<string, Table>> = {
  ...Object.assign(
    {},
    ...Object.entries(PLAIN).map(
      ([names, valued]) =>
        shared(table(`${COREUTILS}, and man 1 of the others`, 'read')`${valued} -% -*`)`${names}`,
    ),
  ),
  wc: table(COREUTILS, 'read')`
    -c --bytes -m --chars -l --lines -L --max-line-length -w --words --total= ask: --files0-from=`,
  du: table(COREUTILS, 'read')`
    -0 --null -a --all --apparent-size -B= --block-size= -b --bytes -c --total -D --dereference-args -d= --max-depth= -H -h --human-readable --inodes -k -L --dereference
    -l --count-links -m -P -S --separate-dirs --si -s --summarize -t= --threshold= --time? --time-style= --exclude= -x --one-file-system read: -X= --exclude-from= ask: --files0-from=`,
  file: table('man 1 file', 'read')`
    -z -b --brief -e= --exclude= -F= --separator= -i --mime --extension --mime-type --mime-encoding -k --keep-going -L -h -N -0 -r -s read: -m= -f= ask: -C`,
  diff: table('GNU diffutils 3.8 manual', 'read')`
    --normal -q --brief -s --report-identical-files -c -C= --context? -u -U= --unified? -e --ed -n --rcs -y --side-by-side -W= --width= --left-column --suppress-common-lines -p
    --show-c-function -F= --label= -t --expand-tabs -T --initial-tab --tabsize= --suppress-blank-empty -r --recursive --no-dereference -N --new-file -x= --exclude= -i --ignore-case -E -Z
    --ignore-trailing-space -b --ignore-space-change -w --ignore-all-space -B --ignore-blank-lines -I= --ignore-matching-lines= -a --text --strip-trailing-cr -d --minimal --color?
    --palette= -% --old-line-format= --new-line-format= --unchanged-line-format= --line-format= read: -X= --exclude-from= -S= --starting-file= --from-file= --to-file= ask: -l --paginate -o=
    --output=`,
  colordiff: table('man 1 colordiff', 'read')`-u -r -N -q -w -b -i --color=`,
  ...shared(
    table('GNU grep 3.8 manual', 'word read', {
      replacedBy: '-e --regexp -f --file',
    })`
    ${GREP} read: -f= --file= --exclude-from=`,
  )`grep egrep fgrep zgrep`,
  ...shared(
    table('ripgrep 14: rg --help', 'word read', {
      replacedBy: '-e --regexp -f --file --files --type-list',
    })`${RG} read: -f= --file= --ignore-file= run: --pre= --pre-glob= --hostname-bin= --pager= -z --search-zip --config=`,
  )`rg ag ack`,
  jq: table('jq 1.7 manual', 'word read', {
    replacedBy: '-f --from-file',
  })`
    -r --raw-output -c --compact-output -e --exit-status -s --slurp -n --null-input -S --sort-keys -R --raw-input -a --ascii-output -j --join-output -M --monochrome-output -C --color-output
    --tab --indent= --stream --seq --args --jsonargs --arg+ --argjson+ read: -f= --from-file= -L= --slurpfile+ --rawfile+`,
  yq: table('yq 4: yq --help', 'word read')`
    -r -e --exit-status -P --prettyPrint -o= --output-format= -p= --input-format= -N --no-doc -j -y -C -M -n --null-input -I= --indent= edit: -i --inplace --in-place run: --from-file= -s=
    --split-exp=`,
  sort: table(COREUTILS, 'read')`
    -b --ignore-leading-blanks -d --dictionary-order -f --ignore-case -g --general-numeric-sort -i --ignore-nonprinting -M --month-sort -h --human-numeric-sort -n --numeric-sort -R
    --random-sort -r --reverse --sort= -V --version-sort --batch-size= -c --check? -C --debug -k= --key= -m --merge -s --stable -S= --buffer-size= -t= --field-separator= --parallel= -u
    --unique -z --zero-terminated read: --random-source= write: -o= --output= -T= --temporary-directory= run: --compress-program= ask: --files0-from=`,
  uniq: table(COREUTILS, 'read write')`
    -c --count -d --repeated -D --all-repeated? -f= --skip-fields= --group? -i --ignore-case -s= --skip-chars= -u --unique -z --zero-terminated -w= --check-chars= -%`,
  shuf: table(COREUTILS, 'read')`
    -e --echo -i= --input-range= -n= --head-count= -r --repeat -z --zero-terminated read: --random-source= write: -o= --output=`,
  tree: table('man 1 tree', 'read', {
    syntax: 'words',
  })`
    -a -d -f -i -l -x -L= -I= -P= --noreport --gitignore --dirsfirst -h -s -D -F -C -n -J -X --prune --du -A -S -% ask: -o= -R -H= --fromfile --infofile`,
  iconv: table('man 1 iconv', 'read')`
    -f= --from-code= -t= --to-code= -l --list -c -s --silent write: -o= --output=`,
  xmllint: table('man 1 xmllint', 'read', {
    syntax: 'words',
  })`
    --noout --format --xpath= --valid --nonet --encode= --recover --html --huge --noent --c14n read: --schema= --relaxng= --dtdvalid= write: --output= -o= run: --shell --path= --catalogs
    --load-trace`,
  xxd: table('man 1 xxd', 'read write', {
    syntax: 'words',
  })`
    -l= -s= -c= -g= -p -ps -i -b -u -E -e -a edit: -r`,
  ...shared(table('bat --help', 'read')`
    -p --plain -n --number -A --show-all -l= --language= -r= --line-range= -H= --highlight-line= --style= --color= --paging= --theme= --tabs= --wrap= run: --pager= --config-file=
    --map-syntax=`)`bat batcat`,
};
