import type { Operand, Table } from '../option-table.ts';

const COREUTILS = 'GNU coreutils 9 manual';

/** Programs that read the files they are given and print; no option of these writes or runs anything. */
const PLAIN: Readonly<Record<string, string>> = {
  cat: '-A --show-all -b --number-nonblank -e -E --show-ends -n --number -s --squeeze-blank -t -T --show-tabs -u -v --show-nonprinting',
  head: '-c= --bytes= -n= --lines= -q --quiet --silent -v --verbose -z --zero-terminated -%',
  tail: '-c= --bytes= -f --follow? -F -n= --lines= --max-unchanged-stats= --pid= -q --quiet --silent --retry -s= --sleep-interval= -v --verbose -z --zero-terminated -%',
  wc: '-c --bytes -m --chars -l --lines -L --max-line-length -w --words',
  ls: `-a --all -A --almost-all --author -b --escape --block-size= -B --ignore-backups -c -C --color? -d --directory -D --dired -f -F --classify? --file-type
    --format= --full-time -g --group-directories-first -G --no-group -h --human-readable --si -H --dereference-command-line --hide= --hyperlink? --indicator-style=
    -i --inode -I= --ignore= -k --kibibytes -l -L --dereference -m -n --numeric-uid-gid -N --literal -o -p -q --hide-control-chars --show-control-chars -Q --quote-name
    --quoting-style= -r --reverse -R --recursive -s --size -S --sort= --time= --time-style= -t -T= --tabsize= -u -U -v -w= --width= -x -X -Z --context --zero -1`,
  stat: '-L --dereference -f --file-system --cached= -c= --format= --printf= -t --terse -x',
  du: '-0 --null -a --all --apparent-size -B= --block-size= -b --bytes -c --total -D --dereference-args -d= --max-depth= -H -h --human-readable --inodes -k -L --dereference -l --count-links -m -P --no-dereference -S --separate-dirs --si -s --summarize -t= --threshold= --time? --time-style= --exclude= -x --one-file-system',
  df: '-a --all -B= --block-size= -h --human-readable -H --si -i --inodes -k -l --local --no-sync --output? -P --portability --sync --total -t= --type= -T --print-type -x= --exclude-type= -v',
  cmp: '-b --print-bytes -i= --ignore-initial= -l --verbose -n= --bytes= -s --quiet --silent',
  comm: '-1 -2 -3 --check-order --nocheck-order --output-delimiter= --total -z --zero-terminated',
  cut: '-b= --bytes= -c= --characters= -d= --delimiter= -f= --fields= -n --complement -s --only-delimited --output-delimiter= -z --zero-terminated',
  nl: '-b= --body-numbering= -d= -f= -h= -i= --line-increment= -l= -n= --number-format= -p -s= --number-separator= -v= --starting-line-number= -w= --number-width=',
  tac: '-b --before -r --regex -s= --separator=',
  rev: '-0 --zero',
  fold: '-b --bytes -s --spaces -w= --width=',
  fmt: '-c --crown-margin -p= --prefix= -s --split-only -t --tagged-paragraph -u --uniform-spacing -w= --width= -g= --goal=',
  paste: '-d= --delimiters= -s --serial -z --zero-terminated',
  join: '-a= -e= -i --ignore-case -j= -o= -t= -v= -1= -2= --check-order --nocheck-order --header -z --zero-terminated',
  column:
    '-t --table -n= -O= -N= --table-columns= -l= -E= -d -e -H= -R= -T= -W= -L -J --json -r= -i= -p= -c= --output-width= -o= --output-separator= -s= --separator= -x --fillrows',
  expand: '-i --initial -t= --tabs=',
  unexpand: '-a --all --first-only -t= --tabs=',
  od: '-A= --address-radix= --endian= -j= --skip-bytes= -N= --read-bytes= -S= -t= --format= -v -w? --width? --traditional -a -b -c -d -f -i -l -o -s -x',
  hexdump:
    '-b -c -C --canonical -d -o -x -L? --color? -e= --format= -n= --length= -s= --skip= -v --no-squeezing',
  realpath:
    '-e --canonicalize-existing -m --canonicalize-missing -L --logical -P --physical -q --quiet --relative-to= --relative-base= -s --strip --no-symlinks -z --zero',
  readlink:
    '-f --canonicalize -e --canonicalize-existing -m --canonicalize-missing -n --no-newline -q --quiet -s --silent -v --verbose -z --zero',
  base64: '-d --decode -i --ignore-garbage -w= --wrap=',
  tsort: '',
  strings:
    '-a --all -d --data -f --print-file-name -n= --bytes= -t= --radix= -o -e= --encoding= -%',
  nm: '-a --debug-syms -A --print-file-name -B -C --demangle? -D --dynamic -g --extern-only -l --line-numbers -n --numeric-sort -p --no-sort -P -r -S --print-size -s --size-sort -u --undefined-only -U --defined-only',
  objdump:
    '-a -f --file-headers -p -h -x -d --disassemble? -D --disassemble-all -S --source -s -g -t --syms -T --dynamic-syms -r --reloc -R -j= --section= -M= -l -C --demangle? -w --wide',
  readelf:
    '-a --all -h --file-header -l --program-headers -S --section-headers -s --syms -n --notes -r --relocs -d --dynamic -V -A -x= -p= -W --wide',
  size: '-A -B -G -o -d -x -t',
  zcat: '-f -l -q -v',
  bzcat: '-f -q -v -s',
  xzcat: '-f -q -v',
  file: '-z -Z -b --brief -c -e= --exclude= -F= --separator= -i --mime --extension --mime-type --mime-encoding -k --keep-going -L --dereference -h --no-dereference -n -N --no-pad -0 --print0 -r --raw -s',
  cloc: '--by-file --csv --json --yaml --md --quiet --vcs= --exclude-dir= --include-lang= --exclude-lang= --not-match-d= --not-match-f=',
  tokei: '-f --files -C --compact -e= --exclude= -t= --type= -s= --sort= -h -V',
  scc: '--by-file --no-cocomo -f= --format= --exclude-dir= -i= --include-ext= -s= --sort= -w --wide',
  cd: '-L -P -e -@',
  exa: '-l --long -a --all -T --tree -L= --level= -1 --git -h -r -s= --sort= -F --icons --color=',
  eza: '-l --long -a --all -T --tree -L= --level= -1 --git -h -r -s= --sort= -F --icons --color=',
  shellcheck:
    '-a --check-sourced -C? --color? -i= --include= -e= --exclude= -f= --format= --norc -o= --enable= -s= --shell= -S= --severity= -x --external-sources -V --version',
  hadolint: '-f= --format= --ignore= --no-fail --no-color -t= --failure-threshold= -V',
  actionlint: '-color -no-color -oneline -verbose -shellcheck= -pyflakes=',
  pathchk: '-p -P --portability',
};

const SUMS =
  '-b --binary -c --check --tag -t --text -z --zero --ignore-missing --quiet --status --strict -w --warn -a= --algorithm= -l= --length= --untagged -r -s -p -q';
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

function reads(source: string, plain: string, operands: readonly Operand[] = ['read']): Table {
  return { source, options: { plain }, operands };
}

/** Programs that read files; the exceptions are options that write or run something. */
export const READERS: Readonly<Record<string, Table>> = {
  ...Object.fromEntries(
    Object.entries(PLAIN).map(([name, plain]) => [
      name,
      reads(`${COREUTILS}; man 1 ${name}`, plain),
    ]),
  ),
  ...Object.fromEntries(
    'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum md5'
      .split(' ')
      .map((name) => [name, reads(COREUTILS, SUMS)]),
  ),
  wc: {
    ...reads(COREUTILS, PLAIN['wc'] ?? ''),
    options: { plain: PLAIN['wc'] ?? '', ask: '--files0-from=' },
  },
  du: {
    ...reads(COREUTILS, ''),
    options: { plain: PLAIN['du'] ?? '', read: '-X= --exclude-from=', ask: '--files0-from=' },
  },
  diff: {
    source: 'GNU diffutils 3.8 manual',
    options: {
      plain: `--normal -q --brief -s --report-identical-files -c -C= --context? -u -U= --unified? -e --ed -n --rcs -y --side-by-side -W= --width= --left-column
        --suppress-common-lines -p --show-c-function -F= --label= -t --expand-tabs -T --initial-tab --tabsize= --suppress-blank-empty -r --recursive --no-dereference -N --new-file
        -x= --exclude= -i --ignore-case -E -Z --ignore-trailing-space -b --ignore-space-change -w --ignore-all-space -B --ignore-blank-lines -I= --ignore-matching-lines= -a --text
        --strip-trailing-cr -d --minimal --color? --palette= -% --old-line-format= --new-line-format= --unchanged-line-format= --line-format=`,
      read: '-X= --exclude-from= -S= --starting-file= --from-file= --to-file=',
      ask: '-l --paginate -o= --output=',
    },
    operands: ['read'],
  },
  colordiff: {
    source: 'man 1 colordiff',
    options: { plain: '-u -r -N -q -w -b -i --color=' },
    operands: ['read'],
  },
  ...Object.fromEntries(
    ['grep', 'egrep', 'fgrep', 'zgrep'].map((name) => [
      name,
      {
        source: 'GNU grep 3.8 manual',
        options: { plain: GREP, read: '-f= --file= --exclude-from=' },
        operands: ['word', 'read'],
        replacedBy: '-e --regexp -f --file',
      } satisfies Table,
    ]),
  ),
  ...Object.fromEntries(
    ['rg', 'ag', 'ack'].map((name) => [
      name,
      {
        source: 'ripgrep 14: rg --help',
        options: {
          plain: RG,
          read: '-f= --file= --ignore-file=',
          run: '--pre= --pre-glob= --hostname-bin= --pager= -z --search-zip --config=',
        },
        operands: ['word', 'read'],
        replacedBy: '-e --regexp -f --file --files --type-list',
      } satisfies Table,
    ]),
  ),
  jq: {
    source: 'jq 1.7 manual',
    options: {
      plain:
        '-r --raw-output -c --compact-output -e --exit-status -s --slurp -n --null-input -S --sort-keys -R --raw-input -a --ascii-output -j --join-output -M --monochrome-output -C --color-output --tab --indent= --stream --seq --args --jsonargs --arg+ --argjson+',
      read: '-f= --from-file= -L= --slurpfile+ --rawfile+',
    },
    operands: ['word', 'read'],
    replacedBy: '-f --from-file',
  },
  yq: {
    source: 'yq 4: yq --help',
    options: {
      plain:
        '-r -e --exit-status -P --prettyPrint -o= --output-format= -p= --input-format= -N --no-doc -j -y -C -M -n --null-input -I= --indent=',
      edit: '-i --inplace --in-place',
      run: '--from-file= -s= --split-exp=',
    },
    operands: ['word', 'read'],
  },
  sort: {
    source: COREUTILS,
    options: {
      plain: `-b --ignore-leading-blanks -d --dictionary-order -f --ignore-case -g --general-numeric-sort -i --ignore-nonprinting -M --month-sort -h --human-numeric-sort
        -n --numeric-sort -R --random-sort -r --reverse --sort= -V --version-sort --batch-size= -c --check? -C --debug -k= --key= -m --merge -s --stable -S= --buffer-size= -t=
        --field-separator= --parallel= -u --unique -z --zero-terminated`,
      read: '--random-source=',
      write: '-o= --output= -T= --temporary-directory=',
      run: '--compress-program=',
      ask: '--files0-from=',
    },
    operands: ['read'],
  },
  uniq: {
    source: COREUTILS,
    options: {
      plain:
        '-c --count -d --repeated -D --all-repeated? -f= --skip-fields= --group? -i --ignore-case -s= --skip-chars= -u --unique -z --zero-terminated -w= --check-chars= -%',
    },
    operands: ['read', 'write'],
  },
  shuf: {
    source: COREUTILS,
    options: {
      plain: '-e --echo -i= --input-range= -n= --head-count= -r --repeat -z --zero-terminated',
      read: '--random-source=',
      write: '-o= --output=',
    },
    operands: ['read'],
  },
  tree: {
    source: 'man 1 tree',
    syntax: 'words',
    options: {
      plain:
        '-a -d -f -i -l -x -L= -I= -P= --noreport --gitignore --dirsfirst -h -s -D -F -C -n -J -X --prune --du -A -S -%',
      ask: '-o= -R -H= --fromfile --infofile',
    },
    operands: ['read'],
  },
  iconv: {
    source: 'man 1 iconv',
    options: {
      plain: '-f= --from-code= -t= --to-code= -l --list -c -s --silent',
      write: '-o= --output=',
    },
    operands: ['read'],
  },
  xmllint: {
    source: 'man 1 xmllint',
    syntax: 'words',
    options: {
      plain:
        '--noout --format --xpath= --valid --nonet --encode= --recover --html --huge --noent --c14n',
      read: '--schema= --relaxng= --dtdvalid=',
      write: '--output= -o=',
      run: '--shell --path= --catalogs --load-trace',
    },
    operands: ['read'],
  },
  xxd: {
    source: 'man 1 xxd',
    syntax: 'words',
    options: { plain: '-l= -s= -c= -g= -p -ps -i -b -u -E -e -a', edit: '-r' },
    operands: ['read', 'write'],
  },
  ...Object.fromEntries(
    ['bat', 'batcat'].map((name) => [
      name,
      {
        source: 'bat --help',
        options: {
          plain:
            '-p --plain -n --number -A --show-all -l= --language= -r= --line-range= -H= --highlight-line= --style= --color= --paging= --theme= --tabs= --wrap=',
          run: '--pager= --config-file= --map-syntax=',
        },
        operands: ['read'],
      } satisfies Table,
    ]),
  ),
};
