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
  column: reader`-o= -s= --separator= --output-separator= -% -*`,
  wc: reader`ask: --files0-from= plain: -*`,
  du: reader`-d= --max-depth= --exclude= -t= -B= read: -X= --exclude-from= ask: --files0-from= plain: -*`,
};

const GREP = table('GNU grep 3.8 manual: no option writes or runs anything', 'word read', {
  replacedBy: '-e --regexp -f --file',
})`-l -L --files-with-matches --files-without-match -e= --regexp= -m= --max-count= --label= --binary-files= -d= --directories= -D= --devices= --include= --exclude=
  --exclude-dir= -A= --after-context= -B= --before-context= -C= --context= --group-separator= -% -* read: -f= --file=
  --exclude-from=`;

const RIPGREP = table('ripgrep 14: rg --help', 'word read', {
  replacedBy: '-e --regexp -f --file --files --type-list',
})`-e= --regexp= -i --ignore-case -S --smart-case -s --case-sensitive -F --fixed-strings -w --word-regexp -x
  --line-regexp -v --invert-match -g= --glob= --iglob= -t= --type= -T= --type-not= --type-list -l --files-with-matches
  --files-without-match --files -c --count --count-matches -n --line-number -N --no-line-number -H --with-filename -I
  --no-filename -o --only-matching -m= --max-count= -A= --after-context= -B= --before-context= -C= --context= -u
  --unrestricted --hidden -. --no-ignore --no-ignore-vcs --no-heading --heading --color= -p --pretty --column --trim
  --json -U --multiline --multiline-dotall -P --pcre2 -r= --replace= --sort= --sortr= -d= --max-depth= -M=
  --max-columns= -q --quiet --stats -j= --threads= -L --follow --no-messages -a --text -0 --null --vimgrep -E=
  --encoding= --no-config read: -f= --file= --ignore-file= run: --pre= --pre-glob= --hostname-bin= --pager= -z
  --search-zip --config=`;

/** Programs that read files; the exceptions are options that write or run something. */
export const READERS: Readonly<Record<string, Table>> = {
  ...PLAIN,
  ...named('grep egrep fgrep zgrep', GREP),
  ...named('rg ag ack', RIPGREP),
  file: table('man 1 file', 'read')`
    -z -b --brief -F= -i --mime --mime-type --mime-encoding -k -L -h -0 -s read: -m= -f= ask: -C`,
  diff: table('GNU diffutils 3.8 manual', 'read')`
    -q --brief -s -c -C= --context? -u -U= --unified? -y --side-by-side -W= --width= -p --label= -r --recursive -N
    --new-file -x= --exclude= -i --ignore-case -b --ignore-space-change -w --ignore-all-space -B --ignore-blank-lines
    -a --text --strip-trailing-cr -d --minimal --color? --suppress-common-lines --no-dereference -I= -F= -% read: -X=
    --exclude-from= -S= --from-file= --to-file= ask: -l --paginate -o= --output=`,
  jq: table('jq 1.7 manual', 'word read', { replacedBy: '-f --from-file' })`
    -r --raw-output -c --compact-output -e --exit-status -s --slurp -n --null-input -S --sort-keys -R --raw-input -a
    -j --join-output -M -C --tab --indent= --stream --args --jsonargs --arg+ --argjson+ read: -f= --from-file= -L=
    --slurpfile+ --rawfile+`,
  yq: table('yq 4: yq --help', 'word read')`
    -r -e --exit-status -P --prettyPrint -o= --output-format= -p= --input-format= -N -j -y -C -M -n --null-input -I=
    --indent= edit: -i --inplace --in-place run: --from-file= -s= --split-exp=`,
  sort: table(COREUTILS, 'read')`
    -b -d -f --ignore-case -g -i -M -h --human-numeric-sort -n --numeric-sort -R --random-sort -r --reverse --sort= -V
    --version-sort -c --check? -C -k= --key= -m --merge -s --stable -S= --buffer-size= -t= --field-separator=
    --parallel= -u --unique -z --zero-terminated read: --random-source= write: -o= --output= -T=
    --temporary-directory= run: --compress-program= ask: --files0-from=`,
  uniq: table(COREUTILS, 'read write')`
    -f= --skip-fields= -s= --skip-chars= -w= --check-chars= -% -*`,
  shuf: table(COREUTILS, 'read')`
    -e --echo -i= --input-range= -n= --head-count= -r --repeat -z read: --random-source= write: -o= --output=`,
  tree: table('man 1 tree', 'read', { syntax: 'words' })`
    -a -d -f -i -l -L= -I= -P= --noreport --gitignore --dirsfirst -h -s -D -F -C -J --prune --du -% ask: -o= -R -H=
    --fromfile --infofile`,
  iconv: table('man 1 iconv', 'read')`
    -f= --from-code= -t= --to-code= -l --list -c -s --silent write: -o= --output=`,
  xmllint: table('man 1 xmllint', 'read', { syntax: 'words' })`
    --noout --format --xpath= --valid --nonet --recover --html read: --schema= --relaxng= --dtdvalid= write: --output=
    -o= run: --shell --path= --catalogs --load-trace`,
  xxd: table('man 1 xxd', 'read write', { syntax: 'words' })`
    -l= -s= -c= -g= -p -ps -i -b -u -e edit: -r`,
  ...named(
    'bat batcat',
    table('bat --help', 'read')`
      -p --plain -n --number -A -l= -r= --line-range= --style= --color= --paging= run: --pager= --config-file=
      --map-syntax=`,
  ),
};
