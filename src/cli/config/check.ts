import { visible } from '../../api/escape-control-characters.ts';
import type { CommandSpec } from '../command.ts';
import { plural } from '../plural.ts';

export const CONFIG_CHECK: CommandSpec = {
  path: 'config check',
  summary: 'check the configuration and report every mistake with file, line and path',
  uses: 'folder',
  examples: ['guildhall config check', 'guildhall config check --config /etc/guildhall.yaml'],
  run: async ({ inspectedConfig, out, localized }) => {
    const { file, warnings, declaration } = inspectedConfig();
    const { projects, types, invokers } = declaration;
    const counts = {
      projects: projects.length,
      types: types.length,
      invokers: invokers.length,
    };
    for (const warning of warnings) out.warn(visible(localized(warning)));
    out.answer({ ok: true, file, ...counts, warnings }, () => {
      const declared = Object.entries(counts)
        .map(([name, count]) => plural(count, name.slice(0, -1)))
        .join(', ');
      const valid =
        file === null
          ? 'no configuration file; the defaults are valid'
          : `${visible(file)} is valid`;
      return `${valid}: ${declared}`;
    });
  },
};
