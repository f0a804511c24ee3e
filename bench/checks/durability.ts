import type { Check } from '../cells/cell.ts';
import type { Lab } from '../lab.ts';
import { killUnderLoad } from './kill-under-load.ts';
import { syncBeforeAnswer } from './sync-before-answer.ts';

/** Whether "acknowledged" means "on disk", checked once on a separate hall. */
export async function durability(lab: Lab): Promise<readonly Check[]> {
  lab.progress.say('  checking that responses follow a sync and survive a kill');
  return [
    { cell: 'P1', what: 'every response follows a sync', ...(await syncBeforeAnswer(lab)) },
    {
      cell: 'P1',
      what: 'SIGKILL under load loses no acknowledged work',
      ...(await killUnderLoad(lab)),
    },
  ];
}
