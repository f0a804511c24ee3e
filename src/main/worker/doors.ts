import { join } from 'node:path';
import { openCellGateway } from '../../adapters/gateway/cell-gateway.ts';
import type { Doors } from '../../ports/doors.ts';
import { socketFolder } from './folders.ts';

interface Needs {
  readonly hall: { readonly url: string; readonly token: string };
}

/** The ways out of the cells of one worker. */
export function createDoors({ hall }: Needs): Doors {
  return {
    async gateway({ lease, stale }) {
      const place = await socketFolder();
      const gateway = await openCellGateway({
        ...lease,
        socket: join(place.folder, 'gateway'),
        hall,
        stale,
      });
      return {
        socket: gateway.socket,
        token: gateway.token,
        seen: gateway.seen,
        async [Symbol.asyncDispose]() {
          await gateway[Symbol.asyncDispose]();
          await place.remove();
        },
      };
    },
    async egress() {
      throw new Error('the egress proxy is not joined yet');
    },
  };
}
