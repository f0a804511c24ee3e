import { forgeContract } from '../../../test/contracts/forge.contract.ts';
import { emulatedForge } from '../../../test/support/forge-server.ts';

forgeContract('an emulated GitHub', () => emulatedForge('github'));
