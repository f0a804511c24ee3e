import { named, type Table, table } from '../option-table.ts';

const COREUTILS = 'GNU coreutils 9 manual';

/** No option of these writes or runs anything; listed are those with a value that looks like a path. */
const reader = table(`${COREUTILS}, and man 1 of the others`, 'read');
const PLAIN: Readonly<Record<string, Table>> = {
  ...named(
    `cat rev tsort tac expand unexpand zcat bzcat size readlink realpath cd shellcheck pathchk
    md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum md5
    head tail ls stat df cmp nl fold fmt od hexdump base64 strings nm objdump readelf`,
    reader`-% -*`,
  ),
  comm: reader`--output-delimiter= -% -*`,
  cut: reader`-d= --delimiter= --output-delimiter= -% -*`,
  paste: reader`-d= --delimiters= -% -*`,
  join: reader`-e= -o= -t= -% -*`,
  column: reader`-o= -s= --separator= -% -*`,
  wc: reader`ask: --files0-from= plain: -*`,
  du: reader`-d= --max-depth= --exclude= -t= -B= read: -X= --exclude-from= ask: --files0-from= plain: -*`,
};

const GREP = table('GNU grep 3.8 manual: no option writes or runs anything', 'word read', {
  replacedBy: '-e --regexp -f --file',
})`-l -L --files-with-matches --files-without-match -e= --regexp= -m= --max-count= --label= -d= -D= --include=
  --exclude= -A= --after-context= -B= --before-context= -C= --context= -% -* read: -f= --file= --exclude-from=`;

const RIPGREP = table('ripgrep 14: rg --help', 'word read', {
  replacedBy: '-e --regexp -f --file --files --type-list',
})`-e= --regexp= -i --ignore-case -S --smart-case -s -F --fixed-strings -w --word-regexp -x -v --invert-match -g=
  --glob= --iglob= -t= --type= -T= --type-not= --type-list -l --files-with-matches --files-without-match --files -c
  --count --count-matches -n --line-number -N --no-line-number -H --with-filename -I --no-filename -o --only-matching
  -m= --max-count= -A= --after-context= -B= --before-context= -C= --context= -u --hidden -. --no-ignore --no-heading
  --heading --color= -p --pretty --json -U --multiline -P --pcre2 -r= --replace= --sort= -d= --max-depth= -M=
  --max-columns= -q --quiet --stats -j= --threads= -L --follow -a --text -0 --null -E= read: -f= --file=
  --ignore-file= run: --pre= --pre-glob= --hostname-bin= --pager= -z --search-zip --config=`;

/** Programs that read files; the exceptions are options that write or run something. */
export const READERS: Readonly<Record<string, Table>> = {
  ...PLAIN,
  ...named('grep egrep fgrep zgrep', GREP),
  ...named('rg ag ack', RIPGREP),
  file: table('man 1 file', 'read')`
    -z -b --brief -F= -i -k -L -h -0 -s read: -m= -f= ask: -C`,
  diff: table('GNU diffutils 3.8 manual', 'read')`
    -q --brief -s -c -C= --context? -u -U= --unified? -y --side-by-side -W= --width= -p --label= -r --recursive -N
    --new-file -x= --exclude= -i --ignore-case -b --ignore-space-change -w --ignore-all-space -B --ignore-blank-lines
    -a --text --strip-trailing-cr -d --minimal --color? --suppress-common-lines --no-dereference -I= -F= -% read: -X=
    --exclude-from= -S= --from-file= --to-file= ask: -l --paginate -o= --output=`,
  jq: table('jq 1.7 manual', 'word read', { replacedBy: '-f --from-file' })`
    -r --raw-output -c --compact-output -e --exit-status -s --slurp -n --null-input -S --sort-keys -R --raw-input -a
    -j -M -C --tab --indent= --stream --args --arg+ --argjson+ read: -f= --from-file= -L= --slurpfile+ --rawfile+`,
  yq: table('yq 4: yq --help', 'word read')`
    -r -e --exit-status -P -o= --output-format= -p= -N -j -y -C -M -n --null-input -I= --indent= edit: -i --inplace
    --in-place run: --from-file= -s= --split-exp=`,
  sort: table(COREUTILS, 'read')`
    -b -d -f --ignore-case -g -i -M -h --human-numeric-sort -n --numeric-sort -R -r --reverse --sort= -V
    --version-sort -c --check? -C -k= --key= -m --merge -s --stable -S= -t= --field-separator= --parallel= -u --unique
    -z --zero-terminated read: --random-source= write: -o= --output= -T= --temporary-directory= run:
    --compress-program= ask: --files0-from=`,
  uniq: table(COREUTILS, 'read write')`
    -f= -s= -w= -% -*`,
  shuf: table(COREUTILS, 'read')`
    -e --echo -i= --input-range= -n= --head-count= -r --repeat -z read: --random-source= write: -o= --output=`,
  tree: table('man 1 tree', 'read', { syntax: 'words' })`
    -a -d -f -i -l -L= -I= -P= -h -s -D -F -C -J --prune -% ask: -o= -R -H= --fromfile --infofile`,
  iconv: table('man 1 iconv', 'read')`
    -f= -t= -l --list -c -s --silent write: -o= --output=`,
  xmllint: table('man 1 xmllint', 'read', { syntax: 'words' })`
    --format read: --schema= --relaxng= --dtdvalid= write: --output= -o= run: --shell --path= --catalogs --load-trace`,
  xxd: table('man 1 xxd', 'read write', { syntax: 'words' })`
    -l= -s= -c= -g= -p -ps -i -b -u -e edit: -r`,
  ...named(
    'bat batcat',
    table('bat --help', 'read')`
      -p -n --number -A -l= -r= --color= run: --pager= --config-file= --map-syntax=`,
  ),
};
