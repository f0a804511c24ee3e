import { parseArgs } from 'node:util';
import { loadPatched } from './patching.ts';
import { VARIANTS } from './variants.ts';

/** Plays stories in a process of its own and tells the parent how it goes. */
const { values } = parseArgs({
  options: {
    scenario: { type: 'string' },
    variant: { type: 'string' },
    first: { type: 'string', default: '1' },
    last: { type: 'string', default: '1' },
    stride: { type: 'string', default: '1' },
    violations: { type: 'string', default: '10' },
  },
});

const variant = VARIANTS.find(({ name }) => name === values.variant);
if (values.variant !== undefined && !variant) throw new Error(`no variant ${values.variant}`);
if (variant) loadPatched(variant.patches);

const TELL_EVERY = 50;
let stories = 0;

// The product is loaded only after it was patched.
const { playAll } = await import('./campaign.ts');
const played = await playAll(
  {
    scenario: values.scenario ?? variant?.scenario,
    first: Number(values.first),
    last: Number(values.last),
    stride: Number(values.stride),
    mostViolations: Number(values.violations),
  },
  () => {
    stories += 1;
    if (stories % TELL_EVERY === 0) process.send?.({ stories });
  },
);
process.send?.({ stories, played });
process.disconnect?.();
