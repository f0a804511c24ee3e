import type { Limits } from '../../domain/project.ts';
import type { ExceededLimit } from './cgroups.ts';
import { type Engine, runEngine } from './engine.ts';
import type { Users } from './users.ts';

/** A running container with one run in it. */
export interface RunningContainer {
  readonly engine: Engine;
  readonly id: string;
  readonly users: Users;
  /** The host folder mounted at `INSIDE.sockets`. */
  readonly hall: string;
  /** The limit that was exceeded; it is never reset. */
  exceeded(): keyof Limits | null;
  hasEnded(): boolean;
  /** Settles once everything in the container is killed. */
  readonly ended: Promise<void>;
  /** Kills the remaining processes of one program. If they cannot be killed alone, kills the whole container. */
  killProgram(group: number): Promise<void>;
  /** Kills everything in it. */
  kill(): Promise<void>;
}

interface StartedContainer extends Pick<RunningContainer, 'engine' | 'id' | 'users' | 'hall'> {
  readonly lifeline: Disposable;
  readonly checkLimits: ExceededLimit;
  /** Milliseconds allowed for killing one program. */
  readonly killTimeout: number;
}

export function watchContainer(container: StartedContainer): RunningContainer {
  const { engine, id, users, lifeline, checkLimits, killTimeout } = container;
  let limit: keyof Limits | null = null;
  let ending: Promise<void> | undefined;
  const { promise: ended, resolve: markEnded } = Promise.withResolvers<void>();
  const timer = setInterval(() => {
    if (exceeded() !== null) void kill();
  }, CHECK_EVERY);
  timer.unref();

  function exceeded(): keyof Limits | null {
    limit ??= checkLimits();
    return limit;
  }

  function kill(): Promise<void> {
    ending ??= killAll();
    return ending;
  }

  async function killAll(): Promise<void> {
    clearInterval(timer);
    // The kernel ends everything when the lifeline closes, the runtime on request: whichever is first.
    lifeline[Symbol.dispose]();
    await runEngine(engine, ['kill', '--signal', 'KILL', id]);
    await runEngine(engine, ['wait', id]);
    markEnded();
  }

  return {
    ...container,
    exceeded,
    hasEnded: () => ending !== undefined,
    ended,
    kill,
    async killProgram(group) {
      if (ending !== undefined) return ending;
      const { uid } = users.inside;
      const script = ['/bin/sh', '-c', KILL_GROUP, 'sh', String(uid), String(group)];
      const args = ['exec', '--user', `${uid}:${users.firstGroup - 1}`, id, ...script];
      const { code } = await runEngine(engine, args, killTimeout);
      if (code !== 0) await kill();
    },
  };
}

const CHECK_EVERY = 100;

/** Waits until only zombies of the group are left. */
const KILL_GROUP = `
exec 2>/dev/null
rounds=0 left=1
while [ $left = 1 ]; do
  rounds=$((rounds + 1)) left=0
  [ $rounds -le 300 ] || exit 1
  for file in /proc/[0-9]*/status; do
    state= user= group=
    while read -r key value rest; do
      case $key in State:) state=$value ;; Uid:) user=$value ;; Gid:) group=$value; break ;; esac
    done < "$file" || continue
    [ "$user $group" = "$1 $2" ] && [ "$state" != Z ] && [ "$state" != X ] || continue
    left=1 pid=\${file#/proc/}
    kill -KILL "\${pid%/status}"
  done
done
exit 0
`;
