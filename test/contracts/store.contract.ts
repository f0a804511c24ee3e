import { describe } from 'node:test';
import type { Store } from '../../src/ports/store.ts';
import { storeLoads } from './store-loads.ts';
import { storePages } from './store-pages.ts';
import { storeReads } from './store-reads.ts';
import { storeSearch } from './store-search.ts';
import { storeWrites } from './store-writes.ts';

/** A store that is empty when it is opened for the first time. */
export interface OpenedStore {
  readonly store: Store;
  /** The epoch under which its writer appends. */
  readonly epoch: number;
  /** Closes the store and opens it again. */
  reopen(): Promise<OpenedStore>;
  close(): Promise<void>;
}

export type OpenStore = () => Promise<OpenedStore>;

/** What the hall relies on in every store. */
export function storeContract(name: string, open: OpenStore): void {
  describe(`the store on ${name} writes`, () => storeWrites(open));
  describe(`the store on ${name} loads and folds`, () => storeLoads(open));
  describe(`the store on ${name} is read`, () => storeReads(open));
  describe(`the store on ${name} is paged`, () => storePages(open));
  describe(`the store on ${name} is searched`, () => storeSearch(open));
}
