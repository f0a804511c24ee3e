import { CONTAINER } from '../../support/container-kind.ts';
import { hostileProgram } from './hostile-program.ts';
import { listedHost } from './listed-host.ts';

hostileProgram(CONTAINER);
listedHost(CONTAINER);
