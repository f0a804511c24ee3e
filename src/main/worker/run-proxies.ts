import { join } from 'node:path';
import { openEgress } from '../../adapters/egress/proxy.ts';
import { openCellGateway } from '../../adapters/gateway/cell-gateway.ts';
import type { RunProxies } from '../../ports/run-proxies.ts';
import { socketFolder } from './folders.ts';

interface Needs {
  readonly hall: { readonly url: string; readonly token: string };
}

/** The proxies for the cells of one worker. */
export function createRunProxies({ hall }: Needs): RunProxies {
  return {
    async openGateway({ lease, onStale }) {
      const sockets = await socketFolder();
      const gateway = await openCellGateway({
        ...lease,
        socket: join(sockets.folder, 'gateway'),
        hall,
        onStale,
      });
      return {
        socket: gateway.socket,
        token: gateway.token,
        modelCalls: gateway.modelCalls,
        async [Symbol.asyncDispose]() {
          await gateway[Symbol.asyncDispose]();
          await sockets.remove();
        },
      };
    },
    async openEgress({ hosts, log }) {
      const sockets = await socketFolder();
      const socket = join(sockets.folder, 'egress');
      const proxy = await openEgress({
        socket,
        allowed: hosts,
        onDecision: (decision) => {
          const { host, port } = decision;
          const target = `${host}:${port}`;
          const text = decision.allowed
            ? `reached ${target}`
            : `denied ${target} (${decision.because})`;
          log(`network: ${text}`);
        },
      });
      return {
        socket,
        async [Symbol.asyncDispose]() {
          await proxy[Symbol.asyncDispose]();
          await sockets.remove();
        },
      };
    },
  };
}
