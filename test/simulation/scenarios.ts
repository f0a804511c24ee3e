import { type FaultRates, NO_FAULTS } from './clients/chaos.ts';
import type { HallShape } from './clients/declared-hall.ts';
import type { OperatorActionWeights } from './clients/operator.ts';
import type { Profile, Temper } from './clients/worker.ts';
import { type NetworkFaults, SOUND_NETWORK } from './hall/network.ts';
import { SOUND_STORE, type StoreFaults } from './world/disk.ts';

export interface Scenario {
  readonly name: string;
  /** What it proves, as the title of its test. */
  readonly proves: string;
  readonly nodes: number;
  /** Steps of the storm. */
  readonly steps: number;
  readonly staging: HallShape;
  readonly crew: {
    readonly profiles: readonly (Profile & { readonly count: number })[];
    readonly temper: Temper;
    readonly workFor: readonly [least: number, most: number];
    /** How likely a task is one that kills every worker. */
    readonly deadly: number;
    /** How often an agent wants to run a command, at most, before it is done. */
    readonly tools: number;
    readonly longestPoll: number;
    /** How likely it is that a worker hangs up before its poll is over. */
    readonly impatience: number;
  };
  readonly operators: {
    readonly count: number;
    readonly every: readonly [least: number, most: number];
    readonly deeds: OperatorActionWeights;
  };
  readonly network: NetworkFaults;
  readonly store: StoreFaults;
  readonly plagues: FaultRates;
  /** Fewer successes than this in a story, on average, prove nothing. */
  readonly least: { readonly claims: number; readonly completions: number };
}

const TEMPER: Temper = {
  complete: 12,
  openPullRequest: 3,
  fail: 1,
  reject: 1,
  defer: 1,
  ask: 2,
  leave: 1,
  vanish: 0.5,
};

const DEEDS: OperatorActionWeights = {
  post: 20,
  cancel: 1.5,
  release: 1.5,
  retry: 2,
  answer: 5,
  approve: 4,
  reopen: 1.5,
  edit: 2,
  handOver: 0.7,
  handBack: 2,
  markMerged: 5,
  pause: 0.7,
  resume: 3,
  drain: 0.2,
  drainWorker: 0.3,
  redeclare: 0.7,
  toggleProject: 0.2,
  repeat: 1,
};

const STAGING: HallShape = {
  projects: {
    shop: { maxWorkers: 3, crashRequeues: 1 },
    site: { maxWorkers: 3, autoApprove: true },
  },
  invokers: { ada: 40, ben: 40 },
  instances: { 'dev-2': { type: 'dev', parallel: 2 } },
  labels: [],
  kin: { depends: 0.3, hasParent: 0.12 },
  labelWait: null,
};

const ANYWHERE = { projects: null, bringsModel: false };

const PROFILES: Scenario['crew']['profiles'] = [
  { instance: 'dev-default', ...ANYWHERE, count: 3 },
  { instance: 'dev-2', ...ANYWHERE, bringsModel: true, count: 2 },
  { instance: 'boss-default', ...ANYWHERE, count: 1 },
  { instance: 'reviewer-default', ...ANYWHERE, count: 1 },
];

const CREW: Scenario['crew'] = {
  profiles: PROFILES,
  temper: TEMPER,
  workFor: [1_000, 15_000],
  deadly: 0,
  tools: 0,
  longestPoll: 20_000,
  impatience: 0.05,
};

const BASE: Omit<Scenario, 'name' | 'proves'> = {
  nodes: 1,
  steps: 560,
  staging: STAGING,
  crew: CREW,
  operators: { count: 2, every: [500, 6_000], deeds: DEEDS },
  network: SOUND_NETWORK,
  store: SOUND_STORE,
  plagues: NO_FAULTS,
  least: { claims: 10, completions: 6 },
};

const ROUGH: NetworkFaults = { lose: 0.04, duplicate: 0.04, slow: 0.05 };
const FEW: Scenario['least'] = { claims: 5, completions: 3 };

export const SCENARIOS: readonly Scenario[] = [
  {
    ...BASE,
    name: 'everyday',
    proves: 'every claim rule holds while all actions happen and no fault occurs',
  },
  {
    ...BASE,
    name: 'crashes',
    proves:
      'no acknowledged change is lost when the hall and workers die at any await and some tasks kill their workers',
    crew: { ...CREW, deadly: 0.12 },
    network: { lose: 0.01, duplicate: 0, slow: 0.02 },
    plagues: { ...NO_FAULTS, killHall: 5, killWorker: 5, pauseWorker: 1 },
  },
  {
    ...BASE,
    name: 'network',
    proves:
      'each request has one effect when requests and responses are lost, doubled, late and out of order',
    network: { lose: 0.1, duplicate: 0.1, slow: 0.1 },
    plagues: { ...NO_FAULTS, killHall: 1 },
  },
  {
    ...BASE,
    name: 'pauses',
    proves:
      'no worker that sends heartbeats is expired when the hall sleeps longer than a lease and lost workers return',
    network: ROUGH,
    plagues: { ...NO_FAULTS, pauseHall: 4, pauseWorker: 5 },
  },
  {
    ...BASE,
    name: 'clocks',
    proves:
      'no lease ends early and no week begins twice when the wall clock of the hall jumps by days',
    plagues: { ...NO_FAULTS, jumpAhead: 3, jumpBack: 3, killHall: 1, killWorker: 2 },
  },
  {
    ...BASE,
    name: 'quota',
    proves:
      'no invoker exceeds its cap with few credits, many workers, provider limits and new weeks',
    staging: {
      ...STAGING,
      projects: { shop: { maxWorkers: 5 }, site: { maxWorkers: 5 } },
      invokers: { ada: 3, ben: 2 },
    },
    crew: {
      ...CREW,
      temper: { ...TEMPER, vanish: 2, leave: 2 },
      profiles: [
        { instance: 'dev-default', ...ANYWHERE, count: 6 },
        { instance: 'boss-default', ...ANYWHERE, count: 1 },
        { instance: 'reviewer-default', ...ANYWHERE, count: 1 },
      ],
    },
    operators: { ...BASE.operators, deeds: { ...DEEDS, parkInvoker: 3 } },
    plagues: { ...NO_FAULTS, jumpAhead: 3, killHall: 2, killWorker: 2 },
    least: FEW,
  },
  {
    ...BASE,
    name: 'labels',
    proves:
      'no worker waits beside a task it may claim when instances with and without labels share tasks',
    staging: {
      ...STAGING,
      labels: ['css', 'sql', 'docs', 'hall:queued'],
      labelWait: 20_000,
      instances: {
        'dev-css': { type: 'dev', parallel: 2, matchLabels: ['css'] },
        'dev-both': { type: 'dev', parallel: 1, matchLabels: ['css', 'sql'] },
        'boss-default': { type: 'boss', parallel: 0, matchLabels: ['docs'] },
        'dev-2': { type: 'dev', parallel: 2 },
      },
    },
    crew: {
      ...CREW,
      profiles: [
        { instance: 'dev-css', ...ANYWHERE, count: 2 },
        { instance: 'dev-both', ...ANYWHERE, bringsModel: true, count: 2 },
        { instance: 'dev-2', ...ANYWHERE, count: 1 },
        { instance: 'dev-default', ...ANYWHERE, projects: ['shop'], count: 1 },
        { instance: 'boss-default', ...ANYWHERE, count: 1 },
      ],
    },
    operators: { ...BASE.operators, deeds: { ...DEEDS, setInstance: 1, edit: 4, drainWorker: 1 } },
    store: { ...SOUND_STORE, slowAppend: 0.3 },
    plagues: { ...NO_FAULTS, killWorker: 3, killHall: 1 },
  },
  {
    ...BASE,
    name: 'dependencies',
    proves:
      'no task starts too early or waits forever when dependencies and children are cancelled, reopened and merged',
    staging: {
      ...STAGING,
      projects: { shop: { maxWorkers: 5, autoApprove: true } },
      kin: { depends: 0.5, hasParent: 0.4 },
    },
    operators: {
      ...BASE.operators,
      count: 3,
      deeds: { ...DEEDS, cancel: 5, reopen: 12, edit: 12, approve: 8, markMerged: 10 },
    },
    crew: {
      ...CREW,
      temper: { ...TEMPER, openPullRequest: 6, fail: 2, defer: 3, ask: 3 },
      workFor: [200, 4_000],
    },
    plagues: { ...NO_FAULTS, killHall: 1, killWorker: 1 },
  },
  {
    ...BASE,
    name: 'capacity',
    proves: 'many workers share one, two or three slots in rotation and in order of arrival',
    staging: {
      ...STAGING,
      projects: { shop: { maxWorkers: 1 }, site: { maxWorkers: 2 }, docs: { maxWorkers: 3 } },
      instances: {
        'dev-1': { type: 'dev', parallel: 1 },
        'dev-2': { type: 'dev', parallel: 2 },
      },
    },
    crew: {
      ...CREW,
      workFor: [2_000, 20_000],
      profiles: [
        { instance: 'dev-1', ...ANYWHERE, bringsModel: true, count: 4 },
        { instance: 'dev-2', ...ANYWHERE, bringsModel: true, count: 4 },
        { instance: 'dev-default', ...ANYWHERE, bringsModel: true, count: 4 },
        { instance: 'boss-default', ...ANYWHERE, bringsModel: true, count: 1 },
      ],
    },
    operators: { ...BASE.operators, deeds: { ...DEEDS, post: 40, redeclare: 2 } },
    plagues: { ...NO_FAULTS, killWorker: 3 },
  },
  {
    ...BASE,
    name: 'takeovers',
    proves:
      'one hall continues when three nodes share a store and the leader dies, sleeps or is stopped',
    nodes: 3,
    steps: 650,
    network: { lose: 0.01, duplicate: 0.01, slow: 0.02 },
    store: { ...SOUND_STORE, lostReply: 0.02, slowAppend: 0.2 },
    plagues: { ...NO_FAULTS, killHall: 2, pauseHall: 5, stopHall: 1, killWorker: 2 },
    least: FEW,
  },
  {
    ...BASE,
    name: 'lost-replies',
    proves:
      'two nodes stay consistent when the store reports the result of a commit or heartbeat late',
    nodes: 2,
    steps: 620,
    network: ROUGH,
    store: { ...SOUND_STORE, lostReply: 0.2, slowRecall: 0.1, refuse: 0.02, slowAppend: 0.2 },
    plagues: { ...NO_FAULTS, killHall: 3, pauseHall: 2 },
    least: FEW,
  },
  {
    ...BASE,
    name: 'refused-commits',
    proves: 'a refused commit leaves no trace when one commit in ten is refused',
    store: { ...SOUND_STORE, refuse: 0.1, slowRecall: 0.05, slowAppend: 0.1 },
    plagues: { ...NO_FAULTS, killHall: 1 },
  },
  {
    ...BASE,
    name: 'broken-disk',
    proves: 'the hall stops before it answers another request when the disk fails',
    store: { ...SOUND_STORE, broken: 0.03, refuse: 0.15, slowAppend: 0.2 },
    network: ROUGH,
  },
  {
    ...BASE,
    name: 'approvals',
    proves:
      'A42, A43: an approval covers one call, no answer is lost, and a worker without a lease gets no approval, when processes die and replies are lost',
    nodes: 2,
    steps: 700,
    crew: { ...CREW, tools: 3, workFor: [500, 4_000] },
    operators: {
      ...BASE.operators,
      deeds: { ...DEEDS, answerApproval: 20, setRule: 2, removeRule: 3 },
    },
    network: { lose: 0.05, duplicate: 0.08, slow: 0.08 },
    store: { ...SOUND_STORE, lostReply: 0.05, refuse: 0.02, slowAppend: 0.1 },
    plagues: { ...NO_FAULTS, killHall: 2, killWorker: 2, pauseWorker: 4 },
    least: FEW,
  },
  {
    ...BASE,
    name: 'polls',
    proves: 'waiting workers that disconnect and return find their claim',
    crew: { ...CREW, longestPoll: 40_000, impatience: 0.4, workFor: [500, 5_000] },
    network: { lose: 0.03, duplicate: 0.08, slow: 0.05 },
    store: { ...SOUND_STORE, slowAppend: 0.3 },
    operators: { ...BASE.operators, deeds: { ...DEEDS, drainWorker: 1, pause: 1.5 } },
    plagues: { ...NO_FAULTS, killWorker: 3 },
  },
  {
    ...BASE,
    name: 'restarts',
    proves: 'the hall survives repeated restarts, graceful or not',
    plagues: { ...NO_FAULTS, killHall: 6, stopHall: 6 },
    least: FEW,
  },
  {
    ...BASE,
    name: 'time-limits',
    proves: 'a run that takes longer than its size allows is ended at the limit and not before',
    steps: 420,
    staging: {
      ...STAGING,
      projects: { shop: { maxWorkers: 3, defaultSize: 'XS', timeLimits: { XS: 2_100_000 } } },
    },
    crew: {
      ...CREW,
      profiles: [{ instance: 'dev-default', ...ANYWHERE, count: 2 }],
      workFor: [900_000, 2_400_000],
      longestPoll: 50_000,
    },
    operators: { count: 1, every: [5_000, 120_000], deeds: { post: 10, release: 1, cancel: 1 } },
    plagues: { ...NO_FAULTS, killHall: 2, pauseHall: 1, jumpAhead: 1, pauseWorker: 1 },
    least: { claims: 3, completions: 1 },
  },
  {
    ...BASE,
    name: 'old-keys',
    proves: 'requests repeated half an hour later, across clock jumps, still have one effect',
    steps: 650,
    crew: {
      ...CREW,
      profiles: [{ instance: 'dev-default', ...ANYWHERE, count: 1 }],
      workFor: [60_000, 300_000],
      longestPoll: 50_000,
    },
    operators: { count: 1, every: [5_000, 200_000], deeds: { post: 10, cancel: 1, repeat: 6 } },
    plagues: { ...NO_FAULTS, jumpAhead: 3, jumpBack: 1 },
    least: { claims: 3, completions: 2 },
  },
];
