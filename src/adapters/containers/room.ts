import type { Limits } from '../../domain/project.ts';
import type { Ceiling } from './ceiling.ts';
import { ask, type Runtime } from './runtime.ts';
import type { Users } from './users.ts';

/** A container that runs, with one run in it. */
export interface Room {
  readonly runtime: Runtime;
  readonly id: string;
  readonly users: Users;
  /** The folder that is seen at `INSIDE.sockets`, on the host. */
  readonly hall: string;
  /** A limit that was met; it stays met. */
  met(): keyof Limits | null;
  isOver(): boolean;
  /** Settles when everything in it was killed. */
  readonly over: Promise<void>;
  /** Kills what is left of one program. What cannot be killed alone is killed with all others. */
  clear(group: number): Promise<void>;
  /** Kills everything in it. */
  end(): Promise<void>;
}

interface Running extends Pick<Room, 'runtime' | 'id' | 'users' | 'hall'> {
  readonly leash: Disposable;
  readonly ceiling: Ceiling;
  /** Milliseconds for the killing of one program. */
  readonly mostClearing: number;
}

export function createRoom(running: Running): Room {
  const { runtime, id, users, leash, ceiling, mostClearing } = running;
  let limit: keyof Limits | null = null;
  let ending: Promise<void> | undefined;
  const { promise: over, resolve: isEnded } = Promise.withResolvers<void>();
  const watching = setInterval(() => {
    if (met() !== null) void end();
  }, LOOK_EVERY);
  watching.unref();

  function met(): keyof Limits | null {
    limit ??= ceiling();
    return limit;
  }

  function end(): Promise<void> {
    ending ??= endAll();
    return ending;
  }

  async function endAll(): Promise<void> {
    clearInterval(watching);
    // The kernel ends everything when the leash is let go, the runtime when it is asked: whichever is first.
    leash[Symbol.dispose]();
    await ask(runtime, ['kill', '--signal', 'KILL', id]);
    await ask(runtime, ['wait', id]);
    isEnded();
  }

  return {
    ...running,
    met,
    isOver: () => ending !== undefined,
    over,
    end,
    async clear(group) {
      if (ending !== undefined) return ending;
      const as = `${users.inside.uid}:${users.firstGroup - 1}`;
      const asked = ['exec', '--user', as, id, '/bin/sh', '-c', CLEAR, 'sh', String(group)];
      const { code } = await ask(runtime, asked, mostClearing);
      if (code !== 0) await end();
    },
  };
}

const LOOK_EVERY = 100;

/** Until nobody of the group is left but those that are dead and not yet buried. */
const CLEAR = `
exec 2>/dev/null
rounds=0 left=1
while [ $left = 1 ]; do
  rounds=$((rounds + 1)) left=0
  [ $rounds -le 300 ] || exit 1
  for file in /proc/[0-9]*/status; do
    state= group=
    while read -r key value rest; do
      case $key in State:) state=$value ;; Gid:) group=$value; break ;; esac
    done < "$file" || continue
    [ "$group" = "$1" ] && [ "$state" != Z ] && [ "$state" != X ] || continue
    left=1 pid=\${file#/proc/}
    kill -KILL "\${pid%/status}"
  done
done
exit 0
`;
