import type { Conversation } from './conversation.ts';
import type {
  EndReason,
  Failure,
  SceneCondition,
  Script,
  ScriptScene,
  Step,
  Use,
} from './script.ts';

/** The model's next response, before encoding. */
export interface ModelTurn {
  readonly scene: string;
  /** Index of this response since the latest prompt, from 0. */
  readonly at: number;
  readonly blocks: readonly Block[];
  readonly stop: EndReason | 'tool_use';
  readonly waits: number;
  readonly pace: number;
  readonly usage: Extract<Step, { is: 'usage' }>['usage'];
  /** Injected in this order before the response, each as often as it says. */
  readonly faults: readonly InjectedFault[];
}

export type Block =
  | { readonly is: 'say' | 'think'; readonly text: string }
  | ({ readonly is: 'use' } & Use);

export type InjectedFault =
  | { readonly is: 'fail'; readonly failure: Failure }
  | { readonly is: 'drop'; readonly after: number; readonly times: number };

/** The script has no response; the reason is for people. */
interface Unanswered {
  readonly unanswered: string;
}

/** Decides the next response from the script and the conversation alone. */
export function nextTurn({ scenes }: Script, conversation: Conversation): ModelTurn | Unanswered {
  const scene = scenes.find(({ when }) => fits(when, conversation));
  if (!scene) return { unanswered: noSceneReason(scenes, conversation) };
  const lookup = findVariables(scene, conversation);
  if ('unanswered' in lookup) return lookup;
  const at = conversation.turns.length;
  let turn = emptyTurn(scene.name, 0);
  for (const step of walk(scene.steps, () => resultsBefore(conversation, turn.at))) {
    if (step.is === 'expect') {
      const results = resultsBefore(conversation, turn.at);
      if (matches(step.pattern, results)) continue;
      return { unanswered: unexpectedReason(scene, step.pattern, results) };
    }
    turn = add(turn, step, lookup.variables);
    if (!isOver(step)) continue;
    if (turn.at === at || step.is === 'end') return ended(turn, at);
    turn = emptyTurn(scene.name, turn.at + 1);
  }
  return ended(turn, at);
}

/** If a model says nothing at all, the agent's program asks it to say something. */
function ended(turn: ModelTurn, at: number): ModelTurn {
  const blocks: ModelTurn['blocks'] =
    turn.blocks.length > 0 ? turn.blocks : [{ is: 'say', text: 'Done.' }];
  return { ...turn, at, blocks };
}

function fits(
  when: SceneCondition,
  { system, first, prompt, model, turnsBefore }: Conversation,
): boolean {
  const isIn = (marks: string | readonly string[] | undefined, text: string) =>
    [marks ?? []].flat().every((mark) => text.includes(mark));
  return (
    isIn(when.system, system) &&
    isIn(when.first, first) &&
    isIn(when.prompt, prompt) &&
    isIn(when.model, model) &&
    isWithin(when.turns, turnsBefore)
  );
}

function isWithin(bounds: SceneCondition['turns'], turns: number): boolean {
  if (bounds === undefined) return true;
  if (typeof bounds === 'number') return turns === bounds;
  return turns >= (bounds.at_least ?? 0) && turns <= (bounds.at_most ?? Number.POSITIVE_INFINITY);
}

/** The steps in order; each branch is decided when it is reached. */
function* walk(steps: readonly Step[], results: () => string): Generator<Step> {
  for (const step of steps) {
    if (step.is === 'branch') {
      yield* walk(matches(step.pattern, results()) ? step.steps : step.otherwise, results);
    } else if (step.is === 'repeat') {
      for (let round = 0; round < step.times; round += 1) yield* walk(step.steps, results);
    } else {
      yield step;
    }
  }
}

function isOver({ is }: Step): boolean {
  return is === 'use' || is === 'end';
}

function emptyTurn(scene: string, at: number): ModelTurn {
  const nothing = { blocks: [], waits: 0, pace: 0, usage: {}, faults: [] };
  return { scene, at, stop: 'end_turn', ...nothing };
}

function add(turn: ModelTurn, step: Step, variables: Variables): ModelTurn {
  const { blocks, faults, waits } = turn;
  switch (step.is) {
    case 'say':
    case 'think':
      return { ...turn, blocks: [...blocks, { is: step.is, text: fill(step.text, variables) }] };
    case 'use': {
      const uses = step.uses.map(({ tool, input }) => ({
        is: 'use' as const,
        tool: fill(tool, variables),
        input: fillAll(input, variables) as Use['input'],
      }));
      return { ...turn, blocks: [...blocks, ...uses], stop: 'tool_use' };
    }
    case 'wait':
      return { ...turn, waits: waits + step.ms };
    case 'pace':
      return { ...turn, pace: step.ms };
    case 'usage':
      return { ...turn, usage: step.usage };
    case 'fail':
    case 'drop':
      return { ...turn, faults: [...faults, step] };
    case 'end':
      return { ...turn, stop: step.because };
    case 'expect':
    case 'branch':
    case 'repeat':
      return turn;
  }
}

function resultsBefore({ turns }: Conversation, at: number): string {
  return turns[at - 1]?.results ?? '';
}

function matches(pattern: string, text: string): boolean {
  return new RegExp(pattern, 'm').test(text);
}

type Variables = ReadonlyMap<string, string>;

/** The variables of a scene. A missing one would leave a gap in the model's text. */
function findVariables(
  scene: ScriptScene,
  { everything }: Conversation,
): { variables: Variables } | Unanswered {
  const variables = new Map<string, string>();
  for (const [name, pattern] of Object.entries(scene.find)) {
    // A resumed conversation may contain an earlier match.
    const match = [...everything.matchAll(new RegExp(pattern, 'gm'))].at(-1);
    if (!match) {
      return {
        unanswered: `scene "${scene.name}" looks for ${name}, but nothing matches /${pattern}/`,
      };
    }
    variables.set(name, match[1] ?? match[0]);
  }
  return { variables };
}

function fill(text: string, variables: Variables): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => variables.get(name) ?? whole);
}

function fillAll(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') return fill(value, variables);
  if (Array.isArray(value)) return value.map((each) => fillAll(each, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, fillAll(each, variables)]),
  );
}

function noSceneReason(scenes: readonly ScriptScene[], conversation: Conversation): string {
  const { model, prompt, turnsBefore } = conversation;
  const tried = scenes
    .map(({ name, when }) => `"${name}" needs ${JSON.stringify(when)}`)
    .join('; ');
  const shown = prompt.length > SHOWN ? `${prompt.slice(0, SHOWN)}…` : prompt;
  return `no scene of the script matches model ${model} after ${turnsBefore} turns, prompt "${shown}": ${tried}`;
}

function unexpectedReason({ name }: ScriptScene, pattern: string, results: string): string {
  return `scene "${name}" expects a result that matches /${pattern}/, but got: ${results.slice(0, SHOWN)}`;
}

const SHOWN = 400;
