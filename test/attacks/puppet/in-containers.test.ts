import { after } from 'node:test';
import { CONTAINER, clearContainers } from '../../support/container-kind.ts';
import { puppetAgent } from './command-agent.ts';
import { CONTAINER_PREFIX } from './fixture.ts';
import { obeyingModel } from './sdk-agent.ts';

puppetAgent(CONTAINER);
obeyingModel(CONTAINER);

after(() => clearContainers(CONTAINER_PREFIX));
