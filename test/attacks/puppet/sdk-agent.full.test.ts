import { KINDS } from '../../support/cell-kinds.ts';
import { obeyingModel } from './sdk-agent.ts';

obeyingModel(KINDS.sandbox);
