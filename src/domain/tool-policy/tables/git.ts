import { checkBisect, checkClean, checkConfig, checkGlobals, checkRemote } from '../checks/git.ts';
import { asks, denies, named, type Table, table } from '../option-table.ts';

const MANUAL = 'Git 2.39 manual';
const git = table(MANUAL, 'own', { syntax: 'git' });
/** The first operand is a file or folder that is written. */
const writesFirst = table(MANUAL, 'write own', { syntax: 'git' });

const DIFF = `-p -u -s -U= --patch --unified= --stat? --numstat --shortstat --summary --name-only --name-status
  --color? --abbrev? --check -q --quiet --exit-code --word-diff? -w -b -W --ignore-all-space --minimal --diff-filter=
  -M? -C? -B? --find-renames? --follow --full-index --binary -a --text -R -z --prefix -S= -G= --cached --staged
  --index --merge-base -1 -2 -3 --ours --theirs -m -c -t -r --root --stdin -v write: --output= run: --ext-diff
  --textconv read: -O= plain:`;
const LOG = `${DIFF} --decorate? -L= -n= --max-count= -% --skip= --since= --after= --until= --before= --author=
  --committer= --grep= --all-match -i -E -F -P --merges --first-parent --all --branches? --tags? --remotes? --not
  --left-right --cherry-pick --oneline --pretty? --format= --date= --parents --graph --topo-order --date-order
  --reverse --show-signature --abbrev-commit -g --walk-reflogs --count -e --numbered -l= --porcelain`;
const COMMIT = `-q --quiet -v --verbose --author= --date= -m= --message= -C= --reuse-message= --fixup= --squash?
  --reset-author --trailer= -s --signoff --cleanup= --status -a --all -i --include -o --only -n --verify --dry-run
  --short --porcelain -z --amend -u? --allow-empty -x --ff --ff-only --strategy= -X= --strategy-option= --abort
  --continue --skip --mainline= --stat --progress --autostash read: -F= --file= -t= --template= --pathspec-from-file=
  ask: -e --edit -c= --reedit-message= -p --patch --interactive -S? --gpg-sign? --verify-signatures`;
const FILES = `-f --force -v --verbose -n --dry-run -q --quiet -u --update -A --all -N --intent-to-add --chmod= -r
  --recursive --cached --ignore-unmatch -k read: --pathspec-from-file= ask: -i --interactive -p --patch -e --edit`;
const BRANCHES = `-b= -B= -q --quiet --progress -m --merge -d --detach -t --track? -f --force --orphan= -2 --ours -3
  --theirs -c= -C= --create= -s= --source= -S --staged -W --worktree read: --pathspec-from-file= ask: -p --patch
  --recurse-submodules?`;
const LISTS = `-v --verbose -a --all -r --remotes -l --list --contains= --merged? --points-at= --sort= --format= -i
  --ignore-case --color? --abbrev? -q --quiet -d --delete -D -m --move -M -c --copy -C --show-current -f --force -t
  --track? --set-upstream-to= -n? -s --sign --annotate --message= -F= --count= --tags --verify read: --file= ask:
  --edit-description -e --edit -u= --local-user=`;
const PLUMBING = `--short? --verify --abbrev-ref? --show-toplevel --git-dir --is-inside-work-tree --all -q --quiet
  --tags --always --dirty? --long --abbrev? --exact-match --match= --exclude= --contains --first-parent -o --others -i
  --ignored -m --modified -d --deleted -c --cached -u -s --stage -z --exclude-standard --error-unmatch -t -v --verbose
  -r --name-only --name-status -l --full-tree --batch? --batch-check? -e -p -w --stdin -n --no-index --is-ancestor
  --delete -D -H --auto --prune? --strict -a --list --branch --chmod= --add --format= --trailer= read: -X=
  --exclude-from= -F= run: --textconv --filters ask: -f --force --in-place --show-superproject-working-tree`;

const NO_NETWORK = 'the cell has no network: the host fetches before the run and pushes after it';

const VERBS: Readonly<Record<string, Table>> = {
  ...named(
    `diff log show whatchanged range-diff diff-tree diff-index diff-files shortlog blame annotate
    rev-list reflog cherry`,
    git`${LOG}`,
  ),
  status: git`-s --short -b --branch --porcelain? --long -v --verbose -u? --untracked-files? --ignored? -z`,
  ...named('add rm mv', git`${FILES}`),
  ...named('commit cherry-pick revert merge', git`${COMMIT}`),
  help: git`-a --all -g -c --config run: -i --info -w --web -m --man`,
  ...named('checkout switch restore', git`${BRANCHES}`),
  ...named('branch tag for-each-ref show-ref', git`${LISTS}`),
  stash: git`${DIFF} -k --keep-index -u --include-untracked -a --all -m= --message= -S --staged ask: -p --patch`,
  reset: git`-q --quiet --mixed --soft --hard --merge --keep -N read: --pathspec-from-file= ask: -p --patch`,
  rebase: git`--onto= --verify -q --quiet -v --verbose --stat --signoff -f --ff --continue --skip --abort -m --merge
    --autosquash --autostash -r? --rebase-merges? -s= --strategy= -X= --strategy-option= --root run: -x= --exec= -i
    --interactive --edit-todo ask: -S? --gpg-sign?`,
  grep: git`--cached --untracked --exclude-standard -v -i --ignore-case -w --word-regexp -a -I -r --max-depth= -E
    --extended-regexp -G -F --fixed-strings -P --perl-regexp -n --line-number -h -H -l --files-with-matches
    --name-only -L --files-without-match -z -o -c --count --color? --break --heading -C= --context= -B= -A= -% -p
    --show-function -W -e= --and --or --not -q --quiet --all-match -m= --max-count= read: -f= run: -O?
    --open-files-in-pager? --textconv --ext-grep ask: --no-index`,
  apply: git`--exclude= --include= -p= --stat --numstat --summary --check --index -N --cached --apply -3 --3way -z -C=
    --whitespace= -R --reverse -v --verbose -q --quiet --allow-empty write: --directory= --build-fake-ancestor= ask:
    --unsafe-paths --reject`,
  am: git`-3 --3way -q --quiet -s --signoff -k --keep -c --whitespace= -p= --exclude= --include= --reject --continue
    --skip --abort ask: -i --interactive -S? --gpg-sign? write: --directory=`,
  'format-patch': git`${LOG} -n --numbered -N --signoff --stdout --cover-letter -v= --subject-prefix= -k --stat write:
    -o= --output-directory= read: --signature-file=`,
  archive: git`-l --list -v --verbose --format= --prefix= -% write: -o= --output= read: --add-file= connect: --remote=
    --exec=`,
  init: git`-q --quiet --bare -b= --initial-branch= run: --template= write: --separate-git-dir=`,
  clean: {
    ...git`-q --quiet -n --dry-run -f --force -d -e= --exclude= -x -X ask: -i --interactive`,
    check: checkClean,
  },
  config: {
    ...git`--global --local --worktree --get --get-all --get-regexp --get-urlmatch --list -l --name-only -z --null
      --show-origin --type= --path --add --replace-all --unset --unset-all --rename-section --remove-section
      --get-color --get-colorbool ask: --system -f= --file= --blob= -e --edit`,
    // It reads no options after the name of a setting.
    syntax: 'posix',
    check: checkConfig,
  },
  remote: { ...git`-v --verbose --all --push`, check: checkRemote },
  bisect: { ...git`--term-old= --term-new= --no-checkout --first-parent`, check: checkBisect },
  submodule: {
    ...git`-q --quiet --cached --recursive`,
    verbs: named('status summary', git`--cached --recursive --files`),
    none: git`-q --quiet --cached`,
    other: denies(MANUAL, NO_NETWORK),
  },
  worktree: {
    ...git``,
    verbs: {
      ...named('list prune', git`-v --verbose --porcelain -z -n --dry-run`),
      ...named(
        'add move remove lock unlock repair',
        writesFirst`-f --force -b= -B= -d --detach -q --quiet --track`,
      ),
    },
  },
  lfs: {
    ...git``,
    verbs: named(
      'ls-files status track untrack env version install pointer',
      git`-l -s -n --local --file=`,
    ),
  },
  ...named(
    `rev-parse describe ls-files ls-tree cat-file hash-object name-rev merge-base check-ignore
    check-attr check-ref-format symbolic-ref count-objects write-tree commit-tree merge-tree
    stripspace column mktree mktag verify-commit verify-tag var version gc fsck pack-refs prune
    update-ref show-branch notes sparse-checkout rerere interpret-trailers update-index patch-id`,
    git`${PLUMBING}`,
  ),
  'read-tree': git`-m -u -i -n -v -q write: --index-output= --prefix=`,
  'checkout-index': git`-a --all -f --force -q --quiet -n -u -z --stdin write: --prefix=`,
  'fast-export': git`--all read: --import-marks= write: --export-marks=`,
  bundle: {
    ...git``,
    verbs: {
      ...named('verify list-heads', git`-q --quiet`),
      create: writesFirst`-q --quiet --progress --all --branches --tags`,
    },
  },
  push: denies(MANUAL, 'the host pushes after the run: commit the work and report it'),
  ...named(
    'fetch pull clone ls-remote remote-https remote-http fetch-pack send-pack http-fetch http-push',
    denies(MANUAL, NO_NETWORK),
  ),
  ...named(
    `send-email imap-send request-pull svn p4 daemon instaweb credential credential-store
    credential-cache upload-pack receive-pack remote-ext remote-fd`,
    denies(MANUAL, 'it connects to other machines'),
  ),
  ...named(
    'difftool mergetool filter-branch filter-repo citool gui gitk mailsplit fast-import maintenance',
    asks(MANUAL, 'it runs other programs or rewrites the history'),
  ),
};

export const GIT: Table = {
  ...git`--no-pager --no-optional-locks --literal-pathspecs -P --bare -v -h -c= folder: -C= ask: --exec-path?
    --git-dir= --work-tree= --namespace= -p --paginate --config-env= --super-prefix= --man-path --info-path
    --attr-source=`,
  verbs: VERBS,
  none: git``,
  check: checkGlobals,
};
