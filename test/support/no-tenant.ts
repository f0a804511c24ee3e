import type { Tenant } from '../../src/ports/cell.ts';

/** For cells of tests to which it does not matter whose they are. */
export const NO_TENANT: Tenant = { instance: 'nobody', project: null, image: null };
