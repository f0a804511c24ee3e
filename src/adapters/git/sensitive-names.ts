/** By the program that reads them, the names that its documentation says it looks for. */
type Names = Readonly<Record<string, string>>;

/** Run or obeyed by a forge, by CI, or by a service that merges, reviews or deploys. */
const CI: Names = {
  'GitHub: workflows, actions, rulesets, owners': '/.github /codeowners /docs/codeowners',
  'GitLab CI and owners': '/.gitlab *.gitlab-ci.yml *.gitlab-ci.yaml',
  'Forgejo and Gitea actions': '/.forgejo /.gitea',
  'Bitbucket pipelines and owners': '/.bitbucket /bitbucket-pipelines.yml',
  'SourceHut builds': '/.build.yml /.builds',
  CircleCI: '/.circleci',
  Buildkite: '/.buildkite',
  Woodpecker: '/.woodpecker /.woodpecker.yml /.woodpecker.yaml',
  Drone: '/.drone.yml /.drone.yaml /.drone.star /.drone.jsonnet',
  'Travis CI': '/.travis.yml /.travis.yaml',
  'Cirrus CI': '/.cirrus.yml /.cirrus.yaml /.cirrus.star',
  AppVeyor: '/.appveyor.yml /appveyor.yml /.appveyor.yaml /appveyor.yaml',
  'Azure Pipelines': '*azure-pipelines*.yml *azure-pipelines*.yaml .azure-pipelines /.azuredevops',
  'Google Cloud Build': 'cloudbuild*.yaml cloudbuild*.yml cloudbuild*.json',
  'AWS CodeBuild and Amplify': 'buildspec*.yml buildspec*.yaml /amplify.yml',
  Jenkins: 'jenkinsfile jenkinsfile.* *.jenkinsfile',
  TeamCity: '/.teamcity',
  Semaphore: '/.semaphore',
  'Tekton Pipelines as Code': '/.tekton',
  Zuul: '/.zuul.yaml /zuul.yaml /.zuul.d /zuul.d',
  'Prow: jobs, approvers': '/.prow.yaml /.prow /owners /owners_aliases',
  'Bamboo, GoCD, Harness, Codefresh':
    '/bamboo-specs *.gocd.yaml *.gocd.json /.harness /codefresh.yml /.codefresh',
  'Bitrise, Codemagic, Xcode Cloud': '/bitrise.yml /.bitrise.yml /codemagic.yaml ci_scripts',
  'Screwdriver, Wercker, Shippable': '/screwdriver.yaml /wercker.yml /shippable.yml',
  act: '/.actrc',
  'Read the Docs': '/.readthedocs.yml /.readthedocs.yaml',
  'Atlantis and Spacelift': '/atlantis.yaml /.spacelift',
  'services that build and deploy each push':
    'vercel.json netlify.toml /render.yaml /railway.json /railway.toml /.platform.app.yaml /.platform',
  Renovate: '/renovate.json /renovate.json5 /.renovaterc /.renovaterc.*',
  Dependabot: '/.dependabot',
  'Mergify, Kodiak, bors, Bulldozer, policy-bot':
    '/.mergify.yml /.mergify /.kodiak.toml /bors.toml /.bulldozer.yml /.policy.yml',
  'ASF: repository settings': '/.asf.yaml',
  'CodeRabbit, PR-Agent, Sourcery':
    '/.coderabbit.yaml /.coderabbit.yml /.pr_agent.toml /.sourcery.yaml',
  'Greptile and Ellipsis': '/greptile.json /.ellipsis /ellipsis.yaml',
};

/** Read by agents as instructions, or by their programs as settings, hooks, tools or servers. */
const AGENTS: Names = {
  'Claude Code': '.claude .claude.json .claude-plugin claude.md claude.*.md .mcp.json',
  'AGENTS.md': 'agents.md agents.*.md /agent.md .agents .agent',
  'MCP servers': 'mcp.json .mcp',
  Codex: '.codex',
  'Gemini CLI': '.gemini gemini.md gemini.*.md',
  'GitHub Copilot': '.copilot copilot-instructions.md',
  Cursor: '.cursor .cursorrules',
  Windsurf: '.windsurf .windsurfrules .codeium',
  Cline: '.cline .clinerules',
  'Roo Code': '.roo .roomodes .roorules*',
  'Kilo Code': '.kilocode .kilocodemodes .kilocoderules*',
  Continue: '.continue .continuerules .continuerc.json',
  Aider: '.aider*',
  Goose: '.goose .goosehints',
  'JetBrains Junie and AI Assistant': '.junie .aiassistant',
  'Amazon Q and Kiro': '.amazonq .kiro',
  Augment: '.augment .augment-guidelines',
  'Amp, Factory, Devin, OpenHands': '.amp .factory .devin .openhands .openhands_instructions',
  'opencode and Crush':
    '.opencode opencode.json opencode.jsonc .crush .crush.json crush.json /crush.md',
  'Qwen Code, iFlow, CodeBuddy, Lingma, Trae':
    '.qwen qwen.md .iflow iflow.md .codebuddy codebuddy.md .lingma .trae',
  'Warp, Tabnine, Cody, Firebender': '.warp /warp.md .tabnine .cody .firebender firebender.json',
  'Replit and Bolt': '/replit.md .bolt',
  'Zed, and programs that copy its rules': '.rules',
  'Ruler and rulesync, which write the rules of others': '.ruler .rulesync rulesync.jsonc',
};

/** Run when a person opens the folder, enters it with a shell, or starts a debugger or a prompt in it. */
const EDITORS: Names = {
  'VS Code: tasks, settings, launch, servers': '.vscode *.code-workspace',
  'development containers': '.devcontainer .devcontainer.json',
  'JetBrains: run configurations, watchers': '.idea .run .fleet',
  Zed: '.zed',
  'Visual Studio and OmniSharp': '.vs omnisharp.json',
  'Eclipse: builders': '.project .externaltoolbuilders .settings',
  'Sublime Text, Nova, Theia, Kate': '*.sublime-project .nova .theia .kateproject',
  'Vim and Neovim': '.exrc .vimrc .nvimrc .nvim.lua .lvimrc .lazy.lua .ycm_extra_conf.py',
  Emacs: '.dir-locals.el .dir-locals-2.el',
  'Helix and language servers that load plugins': '.helix .luarc.json .luarc.jsonc',
  'Gitpod and devfile': '.gitpod .gitpod.yml .gitpod.dockerfile .devfile.yaml devfile.yaml',
  'Replit, IDX, CodeSandbox, StackBlitz': '.replit replit.nix .idx .codesandbox .stackblitzrc',
  direnv: '.envrc',
  'autoenv, RVM, Shadowenv': '.autoenv .autoenv.zsh .rvmrc .shadowenv.d',
  'shells and tools that load .env unasked': '.env',
  mise: 'mise.toml mise.*.toml .mise.toml .mise.*.toml mise/config*.toml .mise .config/mise',
  'mise in older places, and asdf': '.config/mise.toml .rtx.toml .tool-versions',
  'gdb and lldb': '.gdbinit .lldbinit',
  'prompts of languages':
    '.pdbrc .irbrc .pryrc .byebugrc .rdbgrc .ghci .iex.exs .ocamlinit .octaverc .rprofile .renviron',
};

/** Read by git, by hook runners, or by package and build tools: what they run and whence they install. */
const TOOLS: Names = {
  git: '.gitmodules .lfsconfig',
  'other version control, whose settings run hooks': '.hg .svn .bzr .jj',
  'hooks of git':
    '.husky .huskyrc* .githooks .git-hooks /githooks .simple-git-hooks.* simple-git-hooks.*',
  'pre-commit and prek': '.pre-commit-config.yaml .pre-commit-hooks.yaml prek.toml',
  Lefthook: 'lefthook.* .lefthook.* lefthook-local.* .lefthook .lefthook-local',
  'Overcommit, CaptainHook, GrumPHP, hk': '.overcommit.yml captainhook.json grumphp.* hk.pkl',
  'lint-staged': '.lintstagedrc* lint-staged.config.*',
  'npm and pnpm': '.npmrc .pnpmfile.cjs .pnpmfile.mjs pnpm-workspace.yaml',
  'Yarn and Bun': '.yarnrc .yarnrc.yml .yarn .pnp.* bunfig.toml .bunfig.toml',
  'pip, uv, Poetry, PDM, Pixi':
    'pip.conf pip.ini .pypirc uv.toml poetry.toml pdm.toml .pdm.toml .pixi',
  'Python at its start': 'sitecustomize.py usercustomize.py',
  'Cargo and rustup': '.cargo rust-toolchain rust-toolchain.toml',
  'Maven and its wrapper': '.mvn mvnw mvnw.cmd',
  'Gradle and its wrapper': '.gradle gradle/wrapper gradlew gradlew.bat',
  'sbt and the JVM': '.sbtopts .jvmopts',
  'Bazel, Buck, Please':
    '.bazelrc .bazelversion .bazeliskrc /tools/bazel .buckconfig .buckconfig.* .plzconfig',
  Bundler: '.bundle',
  'NuGet and .NET':
    'nuget.config /global.json .config/dotnet-tools.json directory.build.rsp msbuild.rsp',
  'Swift and Xcode': '.swiftpm .xcode.env .xcode.env.*',
  'Composer: credentials': '/auth.json',
  'vcpkg and Terraform': 'vcpkg-configuration.json .terraform .terraformrc',
  ripgrep: '.ripgreprc',
};

const ATTRIBUTES: Names = { git: '.gitattributes' };

const LOCKS: Names = {
  JavaScript:
    'package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock',
  Python: 'poetry.lock uv.lock pipfile.lock pdm.lock pixi.lock pylock.toml pylock.*.toml',
  'Rust, Go, C and C++': 'cargo.lock go.sum go.work.sum conan.lock',
  'Ruby, PHP, Elixir, Erlang, Crystal':
    'gemfile.lock gems.locked composer.lock mix.lock rebar.lock shard.lock',
  'JVM and .NET': 'gradle.lockfile buildscript-gradle.lockfile packages.lock.json',
  'Swift and Dart': 'package.resolved podfile.lock pubspec.lock',
  'Nix, Bazel, Terraform, Helm, mise':
    'flake.lock devenv.lock devbox.lock module.bazel.lock .terraform.lock.hcl chart.lock mise.lock',
};

export const SENSITIVE_NAMES = {
  ci: CI,
  agents: AGENTS,
  editors: EDITORS,
  tools: TOOLS,
  attributes: ATTRIBUTES,
  locks: LOCKS,
} as const satisfies Readonly<Record<string, Names>>;
