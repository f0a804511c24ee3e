import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { bitFlips } from './bit-flips.ts';
import { churn } from './churn.ts';
import { kills } from './kills.ts';
import type { Amounts, Part } from './part.ts';
import { powerCuts } from './power-cuts.ts';
import { restarts } from './restarts.ts';

const PARTS: Readonly<Record<string, Part>> = {
  churn,
  restarts,
  kills,
  cuts: powerCuts,
  flips: bitFlips,
};

const USAGE = `npm run bench -- soak [options]

  --parts churn,cuts     only these parts (default: ${Object.keys(PARTS).join(', ')})
  --churn-minutes N      posting, claiming and completing at full speed (default: 15)
  --restart-minutes N    PostgreSQL restarted every 3 to 10 seconds (default: 10)
  --kills N              halls killed under load (default: 1000)
  --cuts N               power cuts during writes; needs root (default: 1000)
  --flips N              single flipped bits in the database (default: 1000)
  --help`;

/** Long runs with faults. Each part prints its figures or fails; the exit code says whether all promises held. */
export async function soak(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      parts: { type: 'string', default: Object.keys(PARTS).join(',') },
      'churn-minutes': { type: 'string', default: '15' },
      'restart-minutes': { type: 'string', default: '10' },
      kills: { type: 'string', default: '1000' },
      cuts: { type: 'string', default: '1000' },
      flips: { type: 'string', default: '1000' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const amounts = {
    churnMinutes: amountIn(values['churn-minutes']),
    restartMinutes: amountIn(values['restart-minutes']),
    kills: amountIn(values.kills),
    cuts: amountIn(values.cuts),
    flips: amountIn(values.flips),
  };
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  console.log(`node ${process.versions.node}, ${cpus().length} cores, ${gigabytes} GB of memory`);
  let code = 0;
  for (const name of values.parts.split(',')) code = Math.max(code, await runPart(name, amounts));
  return code;
}

async function runPart(name: string, amounts: Amounts): Promise<number> {
  const part = PARTS[name];
  if (!part) throw new Error(`there is no part ${name}; the parts are ${Object.keys(PARTS)}`);
  const began = performance.now();
  const say = (line: string) => console.error(line);
  try {
    const figures = await part(amounts, say);
    const seconds = Math.round((performance.now() - began) / 1_000);
    const all = Object.entries(figures).map(([what, value]) => `${what} ${value}`);
    console.log(`soak ${name}: ${all.join(', ')} (${seconds} s)`);
    return 0;
  } catch (fault) {
    console.log(`soak ${name}: FAILED: ${fault instanceof Error ? fault.stack : String(fault)}`);
    return 1;
  }
}

function amountIn(text: string): number {
  const amount = Number(text);
  if (!(amount > 0)) throw new Error(`${text} is not a number above 0`);
  return amount;
}
