import { resolve } from 'node:path';

/** Holds the product's own contract, catalog, personas and skills; those of the operator come first. */
export const PRODUCT_FOLDER = resolve(import.meta.dirname, '../..');
