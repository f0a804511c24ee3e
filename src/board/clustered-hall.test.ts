import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { leadershipContract } from '../../test/contracts/leadership.contract.ts';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { SharedMemory } from '../../test/support/shared-memory.ts';
import { testSecrets } from '../../test/support/test-secrets.ts';
import { SchemaAhead, StoreFailed } from '../ports/store.ts';
import { healthOf } from '../queries/health.ts';
import { createReadiness } from '../queries/readiness.ts';
import { openClusteredHall } from './clustered-hall.ts';
import type { Hall } from './hall.ts';
import { requireLeading } from './leader.ts';

leadershipContract('a store in shared memory', async () => {
  const shared = new SharedMemory();
  return {
    node: async () => shared.node().leadership,
    [Symbol.asyncDispose]: async () => undefined,
  };
});

const PACE = { heartbeat: 1_000, patience: 3_000 };
const HOUR = 3_600_000;
const TIMES = {
  lease: HOUR,
  tick: HOUR,
  keepAnswers: HOUR,
  keepLog: HOUR,
  keepDecisions: HOUR,
  approval: HOUR,
};
const NO_CHANGE = { meta: { actor: 'test', cause: 'test' }, decide: () => NOTHING };
const NOTHING = { answer: true, events: [] };
const KEYED = {
  ...NO_CHANGE,
  idempotency: { key: 'k', request: 'r', render: () => ({ status: 200, body: '' }) },
};

/** Nodes on one store, one clock, and a network that can be cut for each. */
class Cluster {
  readonly clock = createManualClock();
  readonly shared = new SharedMemory();
  readonly broken: string[] = [];

  async join(name: string, network = new Network()): Promise<{ hall: Hall; network: Network }> {
    const hall = await openClusteredHall({
      ...this.shared.node(network),
      clock: this.clock,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      times: TIMES,
      declaration: () => ({ projects: [], types: [], invokers: [], forges: [], personas: [] }),
      broken: (fault) => void this.broken.push(fault.message),
      url: `http://${name}`,
      pace: PACE,
    });
    return { hall, network };
  }

  /** Lets time pass, with every step of every node in between. */
  async pass(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0; left -= 250) {
      this.clock.pass(250);
      await settled();
    }
  }
}

class Network {
  fault: Error | undefined;
  #isCut = false;
  #mended: (() => void)[] = [];

  async reach(): Promise<void> {
    if (this.#isCut) await new Promise<void>((resolve) => this.#mended.push(resolve));
    if (this.fault) throw this.fault;
  }

  cut(): void {
    this.#isCut = true;
  }
}

async function settled(): Promise<void> {
  for (let n = 0; n < 50; n += 1) await undefined;
}

async function leadershipIn(hall: Hall, cluster: Cluster) {
  const machine = () => ({
    recruiting: null,
    failing: [],
    kept: null,
    repositories: null,
    connections: [],
    sources: null,
    catalogMistakes: [],
  });
  const asked = healthOf({ hall, machine, freeDisk: async () => undefined, ...testSecrets(hall) });
  await cluster.pass(2_000);
  const { status, components } = await asked;
  const { says } = components.find(({ name }) => name === 'leadership') ?? {};
  return { status, says };
}

describe('a node', () => {
  test('a node names the leader once it has seen its heartbeat move, and no longer than the heartbeat is recent', async () => {
    const cluster = new Cluster();
    const { network } = await cluster.join('first');
    const { hall } = await cluster.join('second');
    assert.equal(hall.leaderUrl(), undefined);
    await cluster.pass(2_000);
    assert.equal(hall.leaderUrl(), 'http://first');
    assert.equal(await createReadiness(hall)(), undefined);

    network.cut();
    await cluster.pass(2_000);
    assert.equal(hall.leaderUrl(), 'http://first');
    await cluster.pass(2_000);
    assert.equal(hall.leaderUrl(), undefined);
    assert.notEqual(hall.leading(), undefined);
  });

  test('a restarted node does not name itself as the leader it was', async () => {
    const cluster = new Cluster();
    const { network } = await cluster.join('first');
    await cluster.pass(1_000);
    network.cut();
    const { hall } = await cluster.join('first');
    for (let seconds = 0; seconds < 3; seconds += 1) {
      assert.equal(hall.leaderUrl(), undefined);
      assert.match(String(await createReadiness(hall)()), /^no leader/);
      await cluster.pass(1_000);
    }
    await cluster.pass(1_000);
    assert.notEqual(hall.leading(), undefined);
  });

  test('a node that may not take over is not ready, and its health gives the reason', async () => {
    const cluster = new Cluster();
    const { network: first } = await cluster.join('first');
    const { hall, network } = await cluster.join('second');
    await cluster.pass(2_000);
    first.cut();
    network.fault = new StoreFailed(
      'to accept the database as it is, start with --accept-rollback',
    );
    await cluster.pass(4_000);
    assert.equal(await createReadiness(hall)(), 'no leader; GET /v1/health has the reason');
    assert.deepEqual(await leadershipIn(hall, cluster), {
      status: 'down',
      says: 'no leader: writes are refused: to accept the database as it is, start with --accept-rollback',
    });
  });

  test('a leader cut off from the store refuses what it was not asked to write once another node may lead', async () => {
    const cluster = new Cluster();
    const { hall, network } = await cluster.join('first');
    await cluster.pass(1_000);
    const { writer } = requireLeading(hall);
    network.cut();
    const keyed = writer.change(KEYED).catch((fault: Error) => fault.name);
    await settled();
    const queued = writer.change(NO_CHANGE).catch((fault: Error) => fault.name);
    await cluster.pass(2_500);
    assert.doesNotThrow(() => requireLeading(hall));
    await cluster.pass(1_000);
    assert.deepEqual(await Promise.all([keyed, queued]), ['StoreUnavailable', 'StoreUnavailable']);
    assert.throws(
      () => requireLeading(hall),
      /^StoreUnavailable: the database has not answered for [23] s/,
    );
    assert.equal(await createReadiness(hall)(), 'cut off from the database');
    assert.match(
      String((await leadershipIn(hall, cluster)).says),
      /^cut off from the database for/,
    );
    assert.deepEqual(cluster.broken, []);
  });

  for (const role of ['leader', 'follower'] as const) {
    test(`a ${role} ends when a newer version has changed the store`, async () => {
      const cluster = new Cluster();
      const nodes = [await cluster.join('first'), await cluster.join('second')];
      const { hall, network } = nodes[role === 'leader' ? 0 : 1] as (typeof nodes)[number];
      await cluster.pass(1_000);
      network.fault = new SchemaAhead('the database has schema version 9');
      await cluster.pass(3_000);
      assert.deepEqual(cluster.broken, ['the database has schema version 9']);
      assert.equal(hall.leading(), undefined);
    });
  }
});
