import type { Health } from '../api/overview.ts';
import type { Hall } from '../board/hall.ts';
import type { Board } from '../domain/board.ts';
import { CLOSED_STATES, OPEN_STATES } from '../domain/task.ts';
import type { Metric, Sample } from '../ports/metrics.ts';
import { countsOf } from './views/project.ts';

interface Needs {
  readonly hall: Hall;
  readonly streams: number;
  readonly version: string;
}

/** The board's current numbers. Label values are names that operators chose, so there are few. */
export function boardMetrics(board: Board, { hall, streams, version }: Needs): readonly Metric[] {
  const leading = hall.leading();
  return [
    gauge('guildhall_build_info', 'Version of this node', [{ labels: { version }, value: 1 }]),
    gauge('guildhall_tasks', 'Open tasks by state', tasks(board)),
    counter('guildhall_tasks_closed_total', 'Closed tasks by state', closed(board)),
    gauge('guildhall_runs', 'Active runs', runs(board)),
    gauge('guildhall_max_workers', 'Maximum concurrent runs of a project', capacity(board)),
    gauge('guildhall_workers', 'Registered workers', workers(board)),
    gauge('guildhall_waiting_claims', 'Workers waiting for a task', [
      plain(leading?.writer.waiters.size ?? 0),
    ]),
    gauge('guildhall_credits_used', 'Credits an invoker spent this week', credits(board)),
    counter('guildhall_events_total', 'Events in the log', [plain(board.seq)]),
    gauge('guildhall_event_streams', 'Open event streams', [plain(streams)]),
    gauge('guildhall_leading', 'Whether this node is the leader', [plain(leading ? 1 : 0)]),
    gauge('guildhall_paused', 'Whether the hall is paused', [plain(board.hall.paused ? 1 : 0)]),
  ];
}

export function healthMetric(components: Health['components']): Metric {
  const help = 'Whether a component is up: 1, or 0 when it is degraded or down';
  const samples = components.map(({ name, status }) => ({
    labels: { component: name },
    value: status === 'up' ? 1 : 0,
  }));
  return gauge('guildhall_component_up', help, samples);
}

function gauge(name: string, help: string, samples: readonly Sample[]): Metric {
  return { name, help, kind: 'gauge', samples };
}

function counter(name: string, help: string, samples: readonly Sample[]): Metric {
  return { name, help, kind: 'counter', samples };
}

function plain(value: number): Sample {
  return { labels: {}, value };
}

function tasks(board: Board): readonly Sample[] {
  return [...board.projects.keys()].flatMap((project) => {
    const counts = countsOf(board, project);
    return OPEN_STATES.map((state) => ({ labels: { project, state }, value: counts[state] }));
  });
}

function closed(board: Board): readonly Sample[] {
  return [...board.tallies.keys()].flatMap((project) => {
    const counts = countsOf(board, project);
    return CLOSED_STATES.map((state) => ({ labels: { project, state }, value: counts[state] }));
  });
}

function runs(board: Board): readonly Sample[] {
  return [...board.projects.keys()].map((project) => ({
    labels: { project },
    value: board.runningIn.get(project) ?? 0,
  }));
}

function capacity(board: Board): readonly Sample[] {
  return [...board.projects.values()].map(({ name, settings }) => ({
    labels: { project: name },
    value: settings.maxWorkers,
  }));
}

function workers(board: Board): readonly Sample[] {
  const byInstance = new Map<string, number>();
  for (const { instance } of board.workers.values()) {
    byInstance.set(instance, (byInstance.get(instance) ?? 0) + 1);
  }
  return [...byInstance].map(([instance, value]) => ({ labels: { instance }, value }));
}

function credits(board: Board): readonly Sample[] {
  return [...board.invokers.values()].map(({ handle, used }) => ({
    labels: { invoker: handle },
    value: used,
  }));
}
