import type { EventRecord } from '../../api/overview.ts';
import { type Line, Narrator } from './narrate.ts';

type Told = Pick<EventRecord, 'type' | 'facts'>;

/** Tells what the hall and its agents do on a forge. */
export class ForgeNarrator {
  readonly #board = new Narrator();
  #hasCard = false;

  narrate(event: Told): readonly Line[] {
    const { type, facts } = event;
    const line = this.#board.narrate(event);
    switch (type) {
      case 'TaskPosted':
        return line ? [hall(`finds the label by the API and posts ${facts['task']}`)] : [];
      case 'ForgeWritten': {
        if (this.#hasCard) return [];
        this.#hasCard = true;
        return [hall('writes one comment on the issue, and edits it as the work goes on')];
      }
      case 'PullRequestOpened': {
        const { number } = facts['pr'] as { readonly number: number };
        return [hall(`opens pull request #${number}, which closes the issue when it is merged`)];
      }
      case 'ChecksReported':
        if (facts['checks'] === 'pending') return [];
        return facts['checks'] === 'green'
          ? [{ who: 'CI', text: 'green', tone: 'good' }]
          : [{ who: 'CI', text: `red: ${facts['failing']}`, tone: 'bad' }];
      case 'PullRequestMerged':
        return [{ ...hall('merges the pull request: it is green and approved'), tone: 'good' }];
      default:
        return line ? [line] : [];
    }
  }
}

function hall(text: string): Line {
  return { who: 'hall', text, tone: 'plain' };
}
