import { visible } from '../../api/escape-control-characters.ts';
import { ConfigRefused } from '../../config/mistake.ts';
import type { CommandSpec } from '../command.ts';
import { EXIT_CODES } from '../exit.ts';
import { plural } from '../plural.ts';

export const CONFIG_CHECK: CommandSpec = {
  summary: 'check the configuration and report every mistake with file, line and path',
  examples: ['guildhall config check', 'guildhall config check --config /etc/guildhall.yaml'],
  run: async ({ inspectedConfig, out, localized }) => {
    const config = await inspectedConfig();
    const { file, warnings, declaration, catalogMistakes } = config;
    if (catalogMistakes.length > 0) throw new ConfigRefused(catalogMistakes);
    const { projects, types, invokers, personas } = declaration;
    const counts = {
      projects: projects.length,
      types: types.length,
      invokers: invokers.length,
      personas: personas?.length ?? 0,
    };
    for (const warning of warnings) out.warn(visible(localized(warning)));
    const { startableAgents } = await import('../../main/startable-agents.ts');
    const { cannotStart } = startableAgents(config);
    for (const lack of cannotStart) out.error(visible(localized(lack)));
    const ok = cannotStart.length === 0;
    out.answer({ ok, file, ...counts, warnings, cannot_start: cannotStart }, () => {
      const declared = Object.entries(counts)
        .map(([name, count]) => plural(count, name.slice(0, -1)))
        .join(', ');
      const valid =
        file === null
          ? 'no configuration file; the defaults are valid'
          : `${visible(file)} is valid`;
      return `${valid}: ${declared}`;
    });
    return ok ? EXIT_CODES.ok : EXIT_CODES.failed;
  },
};
