import { KINDS } from '../../support/cell-kinds.ts';
import { puppetAgent } from './command-agent.ts';

puppetAgent(KINDS.sandbox);
