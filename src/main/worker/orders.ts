import { HallUnresponsive, LeaseLost, WorkerDismissed } from '../../ports/hall-client.ts';
import type { Log } from '../../ports/log.ts';
import type { Orders } from '../../worker/work-loop.ts';
import type { HeartbeatReply, Heartbeats } from './heartbeats.ts';

type Running = { readonly run: string; readonly stop: AbortController };

interface OrderReceiver {
  receive(reply: HeartbeatReply): void;
  orders(heartbeats: Heartbeats): Orders;
}

/** The hall's orders, received with heartbeat responses. */
export function createOrders(log: Log, outside: AbortSignal): OrderReceiver {
  const drain = new AbortController();
  outside.addEventListener('abort', () => drain.abort());
  if (outside.aborted) drain.abort();
  let running: Running | null = null;

  return {
    receive({ orders, reason }) {
      if (orders === 'continue') return;
      log.info('orders', { orders, reason });
      if (orders !== 'stop') drain.abort();
      const because = reason ?? 'ordered by the hall';
      if (orders === 'stop') running?.stop.abort(new LeaseLost(because));
      if (orders === 'silent') running?.stop.abort(new HallUnresponsive(because));
      if (orders === 'dismissed') running?.stop.abort(new WorkerDismissed(because));
    },
    orders: (heartbeats) => ({
      drain: drain.signal,
      running(now) {
        running = now && { run: now.lease.run, stop: now.stop };
        heartbeats.doing(now && { run: now.lease.run, fence: now.lease.fence });
      },
    }),
  };
}
