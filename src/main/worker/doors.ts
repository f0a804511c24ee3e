import { join } from 'node:path';
import { openEgress } from '../../adapters/egress/proxy.ts';
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
    async egress({ hosts, said }) {
      const place = await socketFolder();
      const socket = join(place.folder, 'egress');
      const proxy = await openEgress({
        socket,
        allowed: hosts,
        decided: (decision) => {
          const { host, port } = decision;
          const what = decision.allowed ? 'reached' : `kept from reaching (${decision.because})`;
          said(`network: ${what} ${host}:${port}`);
        },
      });
      return {
        socket,
        async [Symbol.asyncDispose]() {
          await proxy[Symbol.asyncDispose]();
          await place.remove();
        },
      };
    },
  };
}
