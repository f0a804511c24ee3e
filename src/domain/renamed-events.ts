import type { EventType, HallEvent } from './event.ts';

/**
 * Event types that were stored under another name. A stored event is never rewritten, because its
 * hash covers its type and body; readers translate it to the current name.
 */
export const RENAMED_TYPES = {
  ApprovalAsked: 'ApprovalRequested',
  InvokerOpened: 'InvokerUnparked',
  MergeAsked: 'MergeRequested',
  NoSpecialist: 'LabelsUnmatched',
  RunHeldUp: 'RunAwaitingApproval',
  RunNoted: 'NoteAdded',
  RunUsed: 'UsageRecorded',
  RunWentOn: 'RunResumed',
  TaskWaited: 'LabelWaitExpired',
  ThreadLanded: 'PullRequestMerged',
  WindowOpened: 'QuotaWindowOpened',
  WorkerGone: 'WorkerDeregistered',
} as const satisfies Readonly<Record<string, EventType>>;

/** By current type: the path of an object inside the event, and its renamed fields. */
const FIELDS: Partial<Readonly<Record<EventType, readonly RenamedFields[]>>> = {
  TaskPosted: [{ within: ['opens'], names: { after: 'dependsOn', waits: 'blockedBy' } }],
  ThreadChanged: [
    {
      within: ['change'],
      names: { after: 'dependsOn', waits: 'blockedBy', fresh: 'resetCounters' },
    },
  ],
  ThreadReopened: [
    { within: ['thread'], names: { after: 'dependsOn', waits: 'blockedBy' } },
    { within: ['thread', 'forge'], names: { mergeAsked: 'mergeRequestedBy' } },
  ],
};

interface RenamedFields {
  readonly within: readonly string[];
  readonly names: Readonly<Record<string, string>>;
}

/** The event in a stored body, under its current names. */
export function eventIn(body: string): HallEvent {
  return presentEvent(JSON.parse(body));
}

/** Returns an event with current names unchanged. */
export function presentEvent(stored: { readonly type: string }): HallEvent {
  const type = presentType(stored.type);
  let event: object = type === stored.type ? stored : { ...stored, type };
  for (const { within, names } of FIELDS[type as EventType] ?? []) {
    event = renamed(event, within, names);
  }
  return event as HallEvent;
}

function presentType(type: string): string {
  return Object.hasOwn(RENAMED_TYPES, type)
    ? RENAMED_TYPES[type as keyof typeof RENAMED_TYPES]
    : type;
}

function renamed(
  value: object,
  [first, ...rest]: readonly string[],
  names: Readonly<Record<string, string>>,
): object {
  if (first === undefined) return renamedIn(value, names);
  const inner = (value as Readonly<Record<string, unknown>>)[first];
  if (typeof inner !== 'object' || inner === null) return value;
  const changed = renamed(inner, rest, names);
  return changed === inner ? value : { ...value, [first]: changed };
}

function renamedIn(value: object, names: Readonly<Record<string, string>>): object {
  if (!Object.keys(value).some((key) => Object.hasOwn(names, key))) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [names[key] ?? key, inner]),
  );
}

/** The names to use when searching stored events for these types. */
export function storedTypes(types: readonly string[]): readonly string[] {
  const older = Object.entries(RENAMED_TYPES).filter(([, present]) => types.includes(present));
  return [...types, ...older.map(([name]) => name)];
}
