/** Numbers between 0 and 1, the same for the same seed. */
export function dice(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Roll = () => number;
type Maker = (roll: Roll, depth: number) => string;

const PROGRAMS = [
  'ls',
  'cat',
  'grep',
  'node',
  'npm',
  'git',
  'make',
  'curl',
  'tool',
  'wc',
  'head',
  'id',
];
const WORDS = [
  'a.txt',
  'x',
  '-l',
  './sub',
  '*.txt',
  '{a,b}.txt',
  '"$v"',
  '$v',
  "'q w'",
  '~',
  '1',
  '--',
  '$((1+2))',
  '$'.concat('{v:-d}'),
  '$HOME',
];

const pick = <T>(roll: Roll, from: readonly T[]): T => from[Math.floor(roll() * from.length)] as T;

/** A shell command that may nest, quote, expand and redirect in every way that bash knows. */
export function commandFrom(seed: number): string {
  const roll = dice(seed);
  const count = 1 + Math.floor(roll() * 3);
  const lines = Array.from({ length: count }, () => statement(roll, 3));
  return lines.join(pick(roll, ['; ', ' && ', ' || ', '\n', ' | ', ' & ', ' ; \n']));
}

const statement: Maker = (roll, depth) =>
  depth <= 0 ? plain(roll, 0) : pick(roll, STATEMENTS)(roll, depth - 1);

/** A name in one of the ways that it can be spelt. */
const name: Maker = (roll) => {
  const program = pick(roll, PROGRAMS);
  const spelt = pick(roll, SPELLINGS);
  return spelt(program, roll);
};

const SPELLINGS: readonly ((program: string, roll: Roll) => string)[] = [
  ...Array.from({ length: 8 }, () => (program: string) => program),
  (program) => `\\${program}`,
  (program) => `${program[0]}\\${program.slice(1)}`,
  (program) => `'${program}'`,
  (program) => `"${program}"`,
  (program) => `${program[0]}''${program.slice(1)}`,
  (program) => `$'${program}'`,
  (program) => `$'\\x${program.charCodeAt(0).toString(16)}${program.slice(1)}'`,
  (program) => `$'\\${program.charCodeAt(0).toString(8)}'${program.slice(1)}`,
  (program) => `\${nothing}${program}`,
  (program) => `${program.slice(0, 1)}\\\n${program.slice(1)}`,
  (program) => `$(echo ${program})`,
  (program) => `{${program},a.txt}`,
  (program) => `v=${program}; $v`,
  (program) => `v="${program} x" && $v`,
];

const plain: Maker = (roll) => {
  const args = Array.from({ length: Math.floor(roll() * 3) }, () => pick(roll, WORDS));
  const before = pick(roll, ['', '', '', '', 'A=1 ', 'B=$v ', '> out ', '2>&1 ', '! ', 'time ']);
  const after = pick(roll, [
    '',
    '',
    '',
    '',
    ' > out',
    ' 2>&1',
    ' < a.txt',
    ' >> out',
    ' &> out',
    ' <<< x',
  ]);
  return `${before}${[name(roll, 0), ...args].join(' ')}${after}`;
};

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

const STATEMENTS: readonly Maker[] = [
  plain,
  plain,
  plain,
  (roll, depth) => `( ${statement(roll, depth)} )`,
  (roll, depth) => `{ ${statement(roll, depth)}; }`,
  (roll, depth) => `echo $( ${statement(roll, depth)} )`,
  (roll, depth) => `echo "x $( ${statement(roll, depth)} ) y"`,
  (roll, depth) => `echo \`${statement(roll, depth).replaceAll('`', '').replaceAll('\\', '')}\``,
  (roll, depth) => `cat <( ${statement(roll, depth)} )`,
  (roll, depth) => `echo \${v:-$( ${statement(roll, depth)} )}`,
  (roll, depth) => `echo $(( 1 + $( ${statement(roll, depth)} >/dev/null; echo 1 ) ))`,
  (roll, depth) => `v=$( ${statement(roll, depth)} )`,
  (roll, depth) =>
    `if ${statement(roll, depth)}; then ${statement(roll, depth)}; else ${statement(roll, depth)}; fi`,
  (roll, depth) => `for v in a ls 'x y'; do ${statement(roll, depth)}; done`,
  (roll, depth) => `for v in a b; do $v ${pick(roll, WORDS)}; ${statement(roll, depth)}; done`,
  (roll, depth) => `while false || { ${statement(roll, depth)}; false; }; do :; done`,
  (roll, depth) =>
    `case $v in ( a ) ${statement(roll, depth)} ;; * ) ${statement(roll, depth)} ;; esac`,
  (roll, depth) => `f() { ${statement(roll, depth)}; }; f x`,
  (roll, depth) => `function g { ${statement(roll, depth)}; }\ng`,
  (roll, depth) => `bash -c ${quoted(statement(roll, depth))}`,
  (roll, depth) => `sh -c ${quoted(statement(roll, depth))} x y`,
  (roll, depth) => `eval ${quoted(statement(roll, depth))}`,
  (roll) => `env ${pick(roll, ['', 'A=1 ', '-i PATH=$PATH ', '-u A '])}${pick(roll, PROGRAMS)} x`,
  (roll) => `command ${pick(roll, PROGRAMS)}`,
  (roll) => `timeout 2 ${pick(roll, PROGRAMS)} x`,
  (roll) => `nice -n 1 ${pick(roll, PROGRAMS)}`,
  (roll) => `exec ${pick(roll, PROGRAMS)} x`,
  (roll) => `echo a.txt | xargs ${pick(roll, ['', '-n 1 ', '-I{} '])}${pick(roll, PROGRAMS)} {}`,
  (roll) => `echo ${pick(roll, PROGRAMS)} | sh`,
  (roll) => `printf '%s\\n' ${pick(roll, PROGRAMS)} | bash -s`,
  (roll, depth) => `bash <<'EOF'\n${statement(roll, depth)}\nEOF\n`,
  (roll, depth) => `cat <<EOF\n$( ${statement(roll, depth)} )\nEOF\n`,
  (roll, depth) => `cat <<'EOF'\n${statement(roll, depth)}\nEOF\n`,
  (roll, depth) => `bash <<< ${quoted(statement(roll, depth))}`,
  (roll, depth) => `trap ${quoted(statement(roll, depth))} EXIT`,
  (roll, depth) => `coproc { ${statement(roll, depth)}; }; wait`,
  (roll, depth) => `[[ -n $( ${statement(roll, depth)} ) ]] && ${statement(roll, depth)}`,
  (roll) => `x='a[$(${pick(roll, PROGRAMS)})]'; echo $((x))`,
  (roll) => `read x <<< 'a[$(${pick(roll, PROGRAMS)})]'; echo $((x))`,
  (roll) => `declare -i n='a[$(${pick(roll, PROGRAMS)})]'`,
  (roll) => `test -v 'a[$(${pick(roll, PROGRAMS)})]'`,
  (roll) => `x='$(${pick(roll, PROGRAMS)})'; echo "\${x@P}"`,
  (roll) => `PS4='$(${pick(roll, PROGRAMS)})'; set -x; :`,
  (roll) => `shopt -s expand_aliases\nalias ls=${pick(roll, PROGRAMS)}\nls`,
  (roll) => `ls() { ${pick(roll, PROGRAMS)}; }; ls`,
  (roll) => `cd sub && ${pick(roll, PROGRAMS)} c.js`,
  (roll) => `set -- ${pick(roll, PROGRAMS)} x; "$@"`,
  (roll) => `a=(${pick(roll, PROGRAMS)} x); "\${a[@]}"`,
  (roll) => `v=${pick(roll, PROGRAMS)}; unset v; $v ${pick(roll, PROGRAMS)}`,
  (roll) => `IFS=-; v=${pick(roll, PROGRAMS)}-x; $v`,
  (roll) => `v=ls; v=${pick(roll, PROGRAMS)}; $v`,
  (roll) => `false && v=${pick(roll, PROGRAMS)}; $v x`,
  (roll) => `printf -v v %s ${pick(roll, PROGRAMS)}; $v`,
  (roll) => `: \${v:=${pick(roll, PROGRAMS)}}; $v`,
  (roll) => `mapfile -t v <<< ${pick(roll, PROGRAMS)}; $v`,
  (roll) => `mapfile -C ${pick(roll, PROGRAMS)} -c 1 v <<< x`,
  (roll) => `jobs -x ${pick(roll, PROGRAMS)} x`,
  (roll) => `compgen -C ${pick(roll, PROGRAMS)} x`,
  (roll) => `enable -n echo; echo ${pick(roll, PROGRAMS)}`,
  (roll) => `hash -p $PATH/${pick(roll, PROGRAMS)} ls; ls`,
  (roll) => `. /dev/stdin <<< ${pick(roll, PROGRAMS)}`,
  (roll) => `${pick(roll, ['bash', 'sh', '.', 'source', 'bash -e'])} ${pick(roll, PROGRAMS)} x`,
  (roll) => `${pick(roll, PROGRAMS)} # comment ; ${pick(roll, PROGRAMS)}`,
  (roll) => `echo a#b ${pick(roll, ['#c', '\\#c'])}\n${pick(roll, PROGRAMS)}`,
  (roll) => `echo 'multi\nline' ; ${pick(roll, PROGRAMS)}`,
  (roll) => `echo "a\\"b" ; ${pick(roll, PROGRAMS)} 'it'"'"'s'`,
  (roll) => `${pick(roll, PROGRAMS)}\\ x`,
  (roll) => `echo \\\n ${pick(roll, PROGRAMS)}`,
  (roll) => `! ${pick(roll, PROGRAMS)} |& ${pick(roll, PROGRAMS)}`,
  (roll) => `select v in a; do ${pick(roll, PROGRAMS)}; break; done <<< 1`,
  (roll) => `for ((i=0;i<1;i++)); do ${pick(roll, PROGRAMS)}; done`,
  (roll) => `until ${pick(roll, PROGRAMS)}; do break; done`,
];
