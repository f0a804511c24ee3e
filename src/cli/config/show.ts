import { visible, visibleLines } from '../../api/escape-control-characters.ts';
import type { CommandSpec } from '../command.ts';

export const CONFIG_SHOW: CommandSpec = {
  summary: 'show every setting in effect; secrets are shown as references, not values',
  examples: [
    'guildhall config show',
    'GUILDHALL_LISTEN=127.0.0.1:5000 guildhall config show --json',
  ],
  run: async ({ inspectedConfig, out }) => {
    const { file, shown, origins, hall } = await inspectedConfig();
    const { stringify } = await import('yaml');
    out.say(out.colours.dim(visible(`from ${file ?? 'the defaults'}; data in ${hall.data}`)));
    for (const [path, from] of Object.entries(origins))
      out.say(out.colours.dim(visible(`${path} from ${from}`)));
    out.answer({ file, origins, config: shown }, () => visibleLines(stringify(shown).trimEnd()));
  },
};
