import { forgeContract } from '../../../test/contracts/forge.contract.ts';
import { emulatedForge } from '../../../test/support/forge-server.ts';
import { casesInTier } from '../../../test/support/tier.ts';

const NAMES = { gitea: 'an emulated Gitea', forgejo: 'an emulated Forgejo' };

for (const kind of casesInTier(['gitea', 'forgejo'] as const, (each) => each === 'gitea'))
  forgeContract(NAMES[kind], () => emulatedForge(kind));
