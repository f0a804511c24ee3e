import { ownVersion } from '../main/version.ts';
import type { CommandSpec } from './command.ts';

export const VERSION: CommandSpec = {
  summary: 'print the versions of guildhall and Node',
  examples: ['guildhall version', 'guildhall version --json'],
  run: async ({ out }) => {
    const versions = { version: ownVersion(), node: process.versions.node };
    out.answer(versions, ({ version, node }) => `guildhall ${version}, Node ${node}`);
  },
};
