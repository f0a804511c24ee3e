import type { Tenant } from '../../src/ports/cell.ts';

/** For cells of tests in which the tenant does not matter. */
export const NO_TENANT: Tenant = { instance: 'nobody', project: null, image: null };
