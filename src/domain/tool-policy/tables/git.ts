import { checkBisect, checkClean, checkConfig, checkGlobals, checkRemote } from '../checks/git.ts';
import { asks, shared, type Table, table } from '../option-table.ts';

const DIFF = `-p --patch -s --no-patch -u -U= --unified= -W --function-context --raw --patch-with-raw --patch-with-stat --numstat --shortstat -X? --dirstat? --cumulative --check --summary
  --name-only --name-status --stat? --stat-width= --stat-name-width= --stat-graph-width= --stat-count= --compact-summary --binary --full-index --color? --ws-error-highlight= -z --abbrev?
  --src-prefix= --dst-prefix= --line-prefix= --no-prefix --default-prefix --inter-hunk-context= -B? --break-rewrites? -M? --find-renames? -D --irreversible-delete -C? --find-copies? --find-copies-harder
  --no-renames --follow -l= --minimal -w --ignore-all-space -b --ignore-space-change --ignore-space-at-eol --ignore-cr-at-eol --ignore-blank-lines -I= --ignore-matching-lines= --indent-heuristic
  --patience --histogram --diff-algorithm= --anchored= --word-diff? --word-diff-regex= --color-words? --color-moved? --color-moved-ws= --relative? -a --text -R --exit-code -q --quiet
  --ignore-submodules? --submodule? -S= -G= --pickaxe-all --pickaxe-regex --rotate-to= --skip-to= --find-object= --diff-filter= --cached --staged --merge-base --no-index --no-ext-diff
  --no-textconv -1 -2 -3 --base --ours --theirs -0 -m --cc -c --combined-all-paths -t -r --root --stdin --no-commit-id -v`;
const LOG = `${DIFF} --source --use-mailmap --mailmap --decorate? --no-decorate --decorate-refs= --clear-decorations -L= -n= --max-count= -% --skip= --since= --after= --until= --before= --author= --committer=
  --grep= --all-match --invert-grep -i --regexp-ignore-case -E --extended-regexp -F --fixed-strings -P --perl-regexp --merges --no-merges --min-parents= --max-parents= --first-parent --not --all
  --branches? --tags? --remotes? --glob= --exclude= --reflog --boundary --left-right --cherry --cherry-pick --cherry-mark --left-only --right-only --oneline --pretty? --format= --date= --parents --children
  --graph --topo-order --date-order --author-date-order --reverse --no-walk? --full-history --simplify-merges --simplify-by-decoration --ancestry-path? --show-signature --abbrev-commit --no-abbrev-commit
  --encoding= -g --walk-reflogs --relative-date --show-notes? --notes? --no-notes --count --objects --quiet --disk-usage --left-right --dense --sparse --show-pulls --expand-tabs? --no-expand-tabs -h`;
const WRITES_DIFF = '--output=';
const RUNS_DIFF = '--ext-diff --textconv';
const COMMIT = `-q --quiet -v --verbose --author= --date= -m= --message= -C= --reuse-message= --fixup= --squash= --reset-author --trailer= -s --signoff --cleanup= --status --no-status -a --all -i --include
  -o --only -n --no-verify --verify --dry-run --short --branch --porcelain --long -z --null --amend --no-post-rewrite -u? --untracked-files? --allow-empty --allow-empty-message --no-edit
  --no-gpg-sign --no-signoff -x --ff --strategy= -X= --strategy-option= --abort --continue --quit --skip --rerere-autoupdate --mainline= --keep-redundant-commits --empty=`;
const MERGE = `-n --no-stat --stat --log? --no-log --squash --no-squash --commit --no-commit --no-edit --ff --no-ff --ff-only -s= --strategy= -X= --strategy-option= -m= --message= --into-name= -q --quiet -v --verbose --progress
  --no-progress --allow-unrelated-histories --abort --continue --quit --autostash --no-autostash --overwrite-ignore --signoff --no-signoff --no-verify --verify --cleanup= --rerere-autoupdate --no-gpg-sign`;
const EDITS = '-e --edit -c= --reedit-message= -p --patch --interactive';
const FILES = `-f --force -v --verbose -n --dry-run -q --quiet -u --update -A --all --no-all --ignore-removal -N --intent-to-add --renormalize --refresh --ignore-errors --ignore-missing --sparse --chmod=
  --pathspec-file-nul -r --recursive --cached --ignore-unmatch -k`;
const BRANCHES = `-b= -B= -l --guess --no-guess --overlay --no-overlay -q --quiet --progress --no-progress -m --merge --conflict= -d --detach -t --track? --no-track -f --force --orphan= --overwrite-ignore
  --ignore-other-worktrees -2 --ours -3 --theirs -c= -C= --create= --force-create= --discard-changes -s= --source= -S --staged -W --worktree --ignore-unmerged --no-recurse-submodules --ignore-skip-worktree-bits`;
const LISTS = `-v --verbose -vv -a --all -r --remotes -l --list --contains= --no-contains= --merged? --no-merged? --points-at= --sort= --format= -i --ignore-case --column? --no-column --color? --no-color --abbrev?
  -q --quiet -d --delete -D -m --move -M -c --copy -C --show-current -f --force -t --track? --no-track -u= --set-upstream-to= --unset-upstream --create-reflog -n? -s --sign --no-sign --annotate --message= -F=
  --count= --shell --perl --python --tcl --stdin --heads --tags --head --hash? --verify --exists --exclude-existing? -z --short --symbolic-full-name`;

/** Options that only change what git prints or which files of the repository it changes. */
const git = table('Git 2.39 manual', 'own', { syntax: 'git' });

const refused = (because: string) =>
  shared({ source: 'Git 2.39 manual', always: { verdict: 'deny', because } });

const NO_NETWORK = 'the cell has no network: the host fetches before the run and pushes after it';

const VERBS: Readonly<Record<string, Table>> = {
  ...shared(git`
    ${LOG} -e --email --summary --numbered -w? --incremental --porcelain --line-porcelain --score-debug -f --show-name --show-number --show-email -k -M? -C? --group= --creation-factor= --expire= --rewrite --updateref
    write: ${WRITES_DIFF} run: ${RUNS_DIFF} read: -O= --mailmap-file=`)`diff log show whatchanged range-diff diff-tree diff-index diff-files shortlog blame annotate rev-list reflog cherry`,
  status: git`
    -s --short -b --branch --show-stash --porcelain? --long -v --verbose -u? --untracked-files? --ignore-submodules? --ignored? -z --column? --no-column --ahead-behind --no-ahead-behind
    --renames --no-renames --find-renames?`,
  ...shared(
    git`${FILES} read: --pathspec-from-file= ask: -i --interactive -p --patch -e --edit`,
  )`add rm mv`,
  ...shared(
    git`
    ${COMMIT} read: -F= --file= -t= --template= --pathspec-from-file= ask: ${EDITS} -S? --gpg-sign?`,
  )`commit cherry-pick revert`,
  merge: git`${MERGE} read: -F= --file= ask: -e --edit -S? --gpg-sign? --verify-signatures`,
  help: git`-a --all -g --guides -c --config run: -i --info -w --web -m --man`,
  ...shared(
    git`${BRANCHES} read: --pathspec-from-file= ask: -p --patch --recurse-submodules?`,
  )`checkout switch restore`,
  ...shared(
    git`${LISTS} read: --file= ask: --edit-description -e --edit -u= --local-user=`,
  )`branch tag for-each-ref show-ref`,
  stash: git`
    ${DIFF} -k --keep-index --no-keep-index -u --include-untracked -a --all -m= --message= --index --only-untracked -S --staged ask: -p --patch run: ${RUNS_DIFF} write: ${WRITES_DIFF}`,
  reset: git`
    -q --quiet --no-refresh --refresh --mixed --soft --hard --merge --keep -N --intent-to-add read: --pathspec-from-file= ask: -p --patch`,
  rebase: git`
    --onto= --keep-base --no-verify -q --quiet -v --verbose -n --no-stat --stat --signoff -C= --ignore-whitespace --whitespace= -f --force-rebase --no-ff --continue --skip --abort --quit
    --show-current-patch --apply -m --merge --rerere-autoupdate --empty= --autosquash --no-autosquash --update-refs --autostash --no-autostash -r? --rebase-merges? --fork-point
    --no-fork-point -s= --strategy= -X= --strategy-option= --root --reapply-cherry-picks run: -x= --exec= -i --interactive --edit-todo ask: -S? --gpg-sign?`,
  grep: git`
    --cached --untracked --exclude-standard -v --invert-match -i --ignore-case -w --word-regexp -a --text -I -r --recursive --max-depth= -E --extended-regexp -G --basic-regexp -F
    --fixed-strings -P --perl-regexp -n --line-number --column -h -H --full-name -l --files-with-matches --name-only -L --files-without-match -z --null -o --only-matching -c --count
    --color? --no-color --break --heading -C= --context= -B= --before-context= -A= --after-context= --threads= -% -p --show-function -W --function-context -e= --and --or --not -q --quiet
    --all-match -m= --max-count= --recurse-submodules read: -f= run: -O? --open-files-in-pager? --textconv --ext-grep ask: --no-index`,
  apply: git`
    --exclude= --include= -p= --no-add --stat --numstat --summary --check --index -N --intent-to-add --cached --apply -3 --3way -z -C= --whitespace= --ignore-space-change
    --ignore-whitespace -R --reverse --unidiff-zero --allow-overlap -v --verbose -q --quiet --inaccurate-eof --recount --allow-empty write: --directory= --build-fake-ancestor= ask:
    --unsafe-paths --reject`,
  am: git`
    -3 --3way -q --quiet -s --signoff -k --keep --keep-cr --no-keep-cr -c --scissors --no-scissors --whitespace= --ignore-whitespace -p= --exclude= --include= --reject --continue --resolved
    --skip --abort --quit --show-current-patch? --committer-date-is-author-date --ignore-date ask: -i --interactive -S? --gpg-sign? write: --directory=`,
  'format-patch': git`
    ${LOG} -n --numbered -N --no-numbered --signoff --stdout --cover-letter --numbered-files --suffix= --start-number= -v= --reroll-count= --rfc --subject-prefix= -k --keep-subject
    --no-binary --zero-commit --ignore-if-in-upstream --base= --thread? --no-signature --signature= --no-stat write: -o= --output-directory= ${WRITES_DIFF} run: ${RUNS_DIFF} read:
    --signature-file=`,
  archive: git`
    -l --list -v --verbose --format= --prefix= --worktree-attributes -% --mtime= write: -o= --output= read: --add-file= connect: --remote= --exec=`,
  init: git`
    -q --quiet --bare -b= --initial-branch= --object-format= --shared? run: --template= write: --separate-git-dir=`,
  clean: {
    ...git`-q --quiet -n --dry-run -f --force -d -e= --exclude= -x -X ask: -i --interactive`,
    check: checkClean,
  },
  config: {
    ...git`
    --global --local --worktree --get --get-all --get-regexp --get-urlmatch --list -l --name-only -z --null --show-origin --show-scope --type= --bool --int --bool-or-int --path --default=
    --includes --no-includes --add --replace-all --unset --unset-all --fixed-value --rename-section --remove-section --get-color --get-colorbool ask: --system -f= --file= --blob= -e --edit`,
    // It reads no options after the name of a setting.
    syntax: 'posix',
    check: checkConfig,
  },
  remote: { ...git`-v --verbose --all --push`, check: checkRemote },
  bisect: {
    ...git`--term-good --term-bad --term-old= --term-new= --no-checkout --first-parent`,
    check: checkBisect,
  },
  submodule: {
    ...git`-q --quiet --cached --recursive`,
    syntax: 'git',
    verbs: {
      status: git`--cached --recursive`,
      summary: git`--cached --files -n= --summary-limit=`,
    },
    none: git`-q --quiet --cached`,
    other: { source: 'Git 2.39 manual', always: { verdict: 'deny', because: NO_NETWORK } },
  },
  worktree: {
    source: 'Git 2.39 manual',
    syntax: 'git',
    verbs: {
      list: git`-v --verbose --porcelain -z`,
      prune: git`-n --dry-run -v --verbose --expire=`,
      ...shared({
        ...git`
    -f --force -b= -B= -d --detach --checkout --no-checkout --lock --reason= -q --quiet --track --no-track --guess-remote --orphan`,
        operands: ['write', 'own'],
      })`add move remove lock unlock repair`,
    },
  },
  lfs: {
    source: 'git-lfs manual',
    syntax: 'git',
    verbs: shared(git`-l -s -n --local --file=`)`
    ls-files status track untrack env version install pointer`,
  },
  ...shared(git`
    --short? --verify --abbrev-ref? --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --git-common-dir
    --symbolic-full-name --all --sq -q --quiet --tags --always --dirty? --broken? --long --abbrev? --exact-match --match= --exclude= --contains --candidates= --first-parent -o --others -i
    --ignored -m --modified -d --deleted -c --cached -u --unmerged -s --stage -z --exclude-standard --error-unmatch --full-name --directory --no-empty-directory -t -v --verbose
    --deduplicate -r --name-only --name-status -l --full-tree --batch? --batch-check? --batch-all-objects -e -p -w --stdin --literally --no-filters -n --no-index --non-matching --name-rev
    --refs= --is-ancestor --fork-point --octopus --independent --delete -D --path= --human-readable -H --aggressive --auto --prune? --no-prune --full --strict --unreachable --dangling
    --connectivity-only -a --list --cone --no-cone --branch --allow-onelevel --normalize --comment-lines --strip-comments --raw --no-deref --create-reflog --refresh --really-refresh
    --assume-unchanged --no-assume-unchanged --skip-worktree --no-skip-worktree --chmod= --add --remove --eol --sparse --format= --debug -k --killed -x= --exclude-per-directory= --stable
    --unstable --build-options --mode= --trailer= --parse --if-exists= --if-missing= --where= --unfold --only-input --only-trailers read: -X= --exclude-from= -F= run: --textconv --filters
    ask: -f --force --in-place --show-superproject-working-tree`)`rev-parse describe ls-files ls-tree cat-file hash-object name-rev merge-base check-ignore check-attr check-ref-format symbolic-ref count-objects write-tree commit-tree merge-tree
    stripspace column mktree mktag verify-commit verify-tag var version gc fsck pack-refs prune update-ref show-branch notes sparse-checkout rerere interpret-trailers get-tar-commit-id
    update-index patch-id`,
  'read-tree': git`
    -m -u -i -n --dry-run --reset -v -q --empty --trivial --aggressive write: --index-output= --prefix=`,
  'checkout-index': git`
    -a --all -f --force -q --quiet -n -u --index -z --stdin --temp --stage= write: --prefix=`,
  'fast-export': git`
    --all --no-data --progress= --signed-tags= read: --import-marks= write: --export-marks=`,
  bundle: {
    source: 'Git 2.39 manual',
    syntax: 'git',
    verbs: {
      verify: git`-q --quiet`,
      'list-heads': git``,
      create: {
        ...git`-q --quiet --progress --all --branches --tags --version=`,
        operands: ['write', 'own'],
      },
    },
  },
  ...refused('the host pushes after the run: commit the work and report it')`push`,
  ...refused(NO_NETWORK)`
    fetch pull clone ls-remote remote-https remote-http fetch-pack send-pack http-fetch http-push`,
  ...refused('it connects to other machines')`
    send-email imap-send request-pull svn p4 daemon instaweb credential upload-pack receive-pack`,
  ...shared(asks('Git 2.39 manual', 'it runs other programs or rewrites the history'))`
    difftool mergetool filter-branch filter-repo citool gui gitk mailsplit fast-import`,
};

export const GIT: Table = table('Git 2.39 manual', '', {
  syntax: 'git',
  verbs: VERBS,
  none: { source: 'Git 2.39 manual' },
  check: checkGlobals,
})`--no-pager -P --html-path --bare --literal-pathspecs --no-optional-locks --no-replace-objects --glob-pathspecs --icase-pathspecs -v -h -c= folder: -C= ask: --exec-path? --git-dir=
    --work-tree= --namespace= -p --paginate --config-env= --super-prefix= --man-path --info-path --attr-source=`;
