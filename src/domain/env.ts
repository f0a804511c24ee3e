/** Variables that an operator sets for the programs of a run. They are shown like any other setting. */
export type Env = Readonly<Record<string, string>>;

/** Variables that name a file of CA certificates; the cell makes the file readable inside. */
export const CA_VARIABLES: readonly string[] = [
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'CURL_CA_BUNDLE',
  'REQUESTS_CA_BUNDLE',
  'PIP_CERT',
  'GIT_SSL_CAINFO',
  'CARGO_HTTP_CAINFO',
  'AWS_CA_BUNDLE',
  'DENO_CERT',
  'NIX_SSL_CERT_FILE',
  'npm_config_cafile',
  'NPM_CONFIG_CAFILE',
];

/** Names that no setting may give a value, and why. */
export const RESERVED_VARIABLES: readonly (readonly [names: RegExp, because: string])[] = [
  [/^(PATH|HOME|PWD|OLDPWD|SHELL)$/, 'is set by the cell'],
  [/^(LANG|TERM|CI|NO_COLOR|XDG_(CONFIG|CACHE|DATA)_HOME)$/, 'is set by the hall'],
  [/^GUILDHALL_/, 'is reserved for the hall'],
  [
    /(^|_)(https?|ftp|all|no)?_?proxy$/i,
    'is set by the cell, whose only network is its own proxy; list the hosts under network instead',
  ],
  [
    /^GIT_(?!SSL_CAINFO$)/,
    'would change what git does in the workspace, which the hall sets up; only GIT_SSL_CAINFO is allowed',
  ],
  [
    /^(LD_.*|DYLD_.*|GLIBC_TUNABLES|GCONV_PATH|NODE_PATH)$/,
    "would load other code into every program of the cell, including the hall's own",
  ],
  [
    /^(ENV|BASH_ENV|BASH_FUNC_.*|SHELLOPTS|BASHOPTS|IFS|CDPATH|PS4|PROMPT_COMMAND|GLOBIGNORE)$/,
    'would change what a shell command does after it was judged',
  ],
];

/** Variables that the hall sets for agents whose model calls pass its gateway. */
export const MODEL_VARIABLES: RegExp = /^(ANTHROPIC|CLAUDE)_/;
