import { setTimeout as pause } from 'node:timers/promises';
import type { Lab } from '../lab.ts';
import { residentAlone, residentBytes } from '../measuring/process-use.ts';
import { spreadOf } from '../measuring/spread.ts';
import { amount } from '../report/print-row.ts';
import { atMost, type Goal, type Row } from '../report/row.ts';
import { startHall } from '../servers/hall.ts';
import type { Cell } from './cell.ts';
import { openOurs, openPeers } from './contenders.ts';

/** Long enough for the garbage of the start to be collected, as far as it will be. */
const SETTLE = 5_000;

export const P7: Cell = {
  title: 'resident memory',
  minutes: ({ isQuick }) => (isQuick ? 0.7 : 2),
  async run(lab, stack) {
    const { waiting } = lab.options.sizes;
    const many = `${waiting.toLocaleString('en')} waiting`;
    const ours = await openOurs(lab, stack, { inFlight: 16 });
    const idle = await settled(lab, 'idle', ours.hall.pid);
    await ours.driver.fill({ count: waiting });
    const posted = await settled(lab, `${many}, just posted`, ours.hall.pid);
    await ours.closed();
    const { folder, store, slots } = ours;
    const again = await startHall({ folder, store, slots });
    stack.defer(() => again.stop());
    const loaded = await settled(lab, `${many}, after a restart`, again.pid);
    const rows = [
      row('idle', idle, atMost(100, 'ours')),
      row(`${many}, just posted over HTTP`, posted, atMost(200, 'ours')),
      row(`${many}, after a restart`, loaded, atMost(200, 'ours')),
    ];
    const { peers, leftOut } = await openPeers(lab, stack, ['bullmq always']);
    for (const { name, driver, serverPids } of peers) {
      await driver.fill({ count: waiting });
      await pause(SETTLE);
      let bytes = residentAlone(driver.pid);
      for (const pid of serverPids()) bytes += residentBytes(pid);
      const both = bytes / 1e6;
      rows.push({
        ...row(`${many}, client and server`, both),
        ours: { name, value: spreadOf([both]) },
      });
    }
    return { rows, checks: [], leftOut };
  },
};

async function settled(lab: Lab, what: string, pid: number): Promise<number> {
  await pause(SETTLE);
  const megabytes = residentAlone(pid) / 1e6;
  lab.progress.say(`  ${what}: ${amount(megabytes, 'MB')}`);
  return megabytes;
}

function row(what: string, megabytes: number, goal?: Goal): Row {
  return {
    cell: 'P7',
    measure: `resident memory, ${what}`,
    unit: 'MB',
    ours: { name: 'ours', value: spreadOf([megabytes]) },
    goal,
  };
}
