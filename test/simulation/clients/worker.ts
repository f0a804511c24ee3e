import type { Claimed } from '../../../src/domain/claiming.ts';
import type { RunId, WorkerId } from '../../../src/domain/ids.ts';
import type { RefusalCode } from '../../../src/domain/refusal.ts';
import type { ToolAnswer } from '../../../src/domain/tool-gate.ts';
import type { Ledger } from '../checks/ledger.ts';
import type { Reply, Request } from '../hall/message.ts';
import { HEARTBEAT_EVERY } from '../hall/times.ts';
import type { Random } from '../world/random.ts';
import type { World } from '../world/world.ts';
import {
  claimRequest,
  heartbeatRequest,
  leaveRequest,
  noteRequest,
  questionRequest,
  registerRequest,
  reportRequest,
  startRequest,
  usageRequest,
} from './lease-requests.ts';
import type { Link } from './link.ts';
import { reportOn } from './reports.ts';
import { COMMANDS, toolCallRequest } from './tool-requests.ts';

/** How a worker ends its task, by likelihood. */
export interface Temper {
  readonly complete: number;
  readonly openPullRequest: number;
  readonly fail: number;
  readonly reject: number;
  readonly defer: number;
  readonly ask: number;
  readonly leave: number;
  readonly vanish: number;
}

export interface Profile {
  readonly instance: string;
  readonly projects: readonly string[] | null;
  readonly bringsModel: boolean;
}

/** Long, so the calm takes few steps. */
const CALM_POLL = 45_000;

interface Needs {
  readonly world: World;
  readonly link: Link;
  readonly ledger: Ledger;
  readonly profile: Profile;
  readonly temper: () => Temper;
  /** How long it works on a task, in milliseconds, at least and at most. */
  readonly workFor: () => readonly [least: number, most: number];
  /** How likely a task is one that kills every worker. */
  readonly deadly: number;
  /** How often its agent wants to run a command, at most, before it is done. */
  readonly tools: number;
  readonly longestPoll: number;
  readonly impatience: number;
  /** True once the story is over and idle workers stay registered. */
  readonly isCalm: () => boolean;
  /** Called by one that dies of its task. */
  readonly vanish: () => void;
}

/** A process that registers, claims tasks, works on them and reports, until it is killed. */
export class Worker {
  id: WorkerId | undefined;
  /** The run it has, as far as it knows. */
  #holds: RunId | undefined;
  readonly #needs: Needs;
  readonly #link: Link;
  readonly #random: Random;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#link = needs.link;
    this.#random = needs.world.random;
  }

  get machine() {
    return this.#link.machine;
  }

  get isBusy(): boolean {
    return this.#holds !== undefined;
  }

  get profile(): Profile {
    return this.#needs.profile;
  }

  async live(): Promise<never> {
    await this.#link.pause(this.#random.between(0, 3_000));
    for (;;) {
      this.id = await this.#join();
      if (this.id === undefined) continue;
      await this.#workAs(this.id);
      this.id = undefined;
      await this.#link.pause(this.#random.between(500, 5_000));
    }
  }

  async #join(): Promise<WorkerId | undefined> {
    const { profile } = this.#needs;
    const host = this.machine.name;
    const reply = await this.#link.request(
      registerRequest(this.#link.key(), { ...profile, tokenHash: '', host }),
    );
    if (reply?.is === 'done') return Number(reply.body) as WorkerId;
    await this.#link.pause(this.#random.between(5_000, 20_000));
    return undefined;
  }

  /**
   * Liveness comes from the host, apart from the work: a long tool call does not stop it. One that
   * has no run is heard of by its polls.
   */
  #beat({ worker, claimed }: Holding): void {
    const { world } = this.#needs;
    world.plan(this.machine, 'beats', HEARTBEAT_EVERY, () => {
      if (this.#holds !== claimed.run) return;
      this.#link.send(heartbeatRequest(worker));
      this.#beat({ worker, claimed });
    });
  }

  /** Until the hall dismisses it, assigns it a run it does not have, or it leaves. */
  async #workAs(id: WorkerId): Promise<void> {
    let claimed: Claimed | undefined;
    for (;;) {
      if (!claimed) {
        const reply = await this.#poll(claimRequest(id, this.#wait()));
        if (isRefused(reply, 'unknown_worker')) return;
        if (isRefused(reply, 'worker_busy') || isRefused(reply, 'worker_draining')) {
          await this.#link.request(leaveRequest(id));
          return;
        }
        claimed = claimedIn(reply);
      }
      if (claimed) {
        const next = await this.#carryOut({ worker: id, claimed });
        if (next === 'left') return;
        claimed = next;
      } else {
        await this.#link.pause(this.#random.between(10, 3_000));
        if (this.#needs.isCalm() || !this.#random.chance(0.03)) continue;
        await this.#link.request(leaveRequest(id));
        return;
      }
    }
  }

  #poll(request: Request): Promise<Reply | undefined> {
    const { impatience, isCalm } = this.#needs;
    const hangsUp = !isCalm() && this.#random.chance(impatience);
    const patience = hangsUp ? this.#random.between(1, 10_000) : undefined;
    return this.#link.request(request, patience === undefined ? {} : { patience });
  }

  #wait(): number {
    const { longestPoll, isCalm } = this.#needs;
    if (isCalm()) return CALM_POLL;
    return this.#random.chance(0.2) ? 0 : this.#random.between(500, longestPoll);
  }

  /** Works on a run and reports. Returns the next claim, if it requested one. */
  async #carryOut(holding: Holding): Promise<Claimed | 'left' | undefined> {
    this.#holds = holding.claimed.run;
    this.#beat(holding);
    const next = await this.#work(holding);
    this.#holds = undefined;
    return next;
  }

  async #work(holding: Holding): Promise<Claimed | 'left' | undefined> {
    const link = this.#link;
    const random = this.#random;
    if (isOver(await link.request(startRequest(holding)))) return undefined;
    const [least, most] = this.#needs.workFor();
    const whole = random.between(least, most);
    await link.pause(Math.ceil(whole / 2));
    if (
      random.chance(0.8) &&
      isOver(await link.request(usageRequest(holding, random.between(1, 9))))
    ) {
      return undefined;
    }
    if (random.chance(0.2) && isOver(await link.request(noteRequest(link.key(), holding))))
      return undefined;
    await link.pause(Math.ceil(whole / 2));
    if ((await this.#useTools(holding)) === 'over') return undefined;
    return this.#end(holding);
  }

  async #useTools(holding: Holding): Promise<'over' | undefined> {
    const { tools } = this.#needs;
    const calls = tools === 0 ? 0 : this.#random.between(0, tools);
    for (let n = 0; n < calls; n += 1) {
      const end = await this.#useTool(holding, this.#random.pick(COMMANDS));
      if (end === 'over') return end;
    }
    return undefined;
  }

  /** Asks again until a person has answered or the request expired. */
  async #useTool(holding: Holding, command: string): Promise<'over' | undefined> {
    for (;;) {
      const reply = await this.#link.request(toolCallRequest(this.#link.key(), holding, command));
      if (isOver(reply)) return 'over';
      const told: ToolAnswer | undefined =
        reply?.is === 'done' ? JSON.parse(reply.body) : undefined;
      if (told?.verdict !== 'review') return undefined;
      await this.#link.pause(this.#random.between(500, 8_000));
    }
  }

  async #end(holding: Holding): Promise<Claimed | 'left' | undefined> {
    const link = this.#link;
    const way = this.#random.weighted<keyof Temper>({ ...this.#needs.temper() });
    if (way === 'vanish' || isDeadly(holding.claimed.task, this.#needs.deadly)) {
      this.#needs.vanish();
      return undefined;
    }
    if (way === 'leave') {
      await link.request(leaveRequest(holding.worker));
      return 'left';
    }
    if (way === 'ask') {
      await link.request(questionRequest(link.key(), holding));
      return undefined;
    }
    const said = reportOn(this.#needs, holding.claimed, way);
    const wait = this.#random.chance(0.5) ? this.#wait() : undefined;
    this.#holds = undefined;
    const reply = await this.#poll(reportRequest(link.key(), holding, { said, wait }));
    return reply?.is === 'done' ? claimedIn(reply.next) : undefined;
  }
}

interface Holding {
  readonly worker: WorkerId;
  readonly claimed: Claimed;
}

/** Always the same for the same task, whichever worker claims it. */
function isDeadly(task: number, probability: number): boolean {
  return ((task * 7_919) % 101) / 101 < probability;
}

function claimedIn(reply: Reply | undefined): Claimed | undefined {
  return reply?.is === 'done' ? JSON.parse(reply.body) : undefined;
}

function isRefused(reply: Reply | undefined, code: RefusalCode): boolean {
  return reply?.is === 'refused' && reply.refusal.refused === code;
}

/** The hall refuses: the worker stops its agent and forgets the run. */
function isOver(reply: Reply | undefined): boolean {
  return reply?.is === 'refused';
}
