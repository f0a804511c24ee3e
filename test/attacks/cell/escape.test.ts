import { KINDS } from '../../support/cell-kinds.ts';
import { hostileProgram } from './hostile-program.ts';
import { listedHost } from './listed-host.ts';

hostileProgram(KINDS.sandbox);
listedHost(KINDS.sandbox);
