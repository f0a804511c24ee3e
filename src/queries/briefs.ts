import type { Hall } from '../board/hall.ts';
import type { Brief } from '../domain/brief.ts';
import type { TaskId } from '../domain/ids.ts';
import { assemblePrompt, type Prompt } from '../domain/prompt.ts';
import { type Refusal, refuse } from '../domain/refusal.ts';
import { writes } from '../domain/skill.ts';
import type { Task } from '../domain/task.ts';
import { type BriefTarget, briefOf } from '../domain/write-brief.ts';
import type { PromptFiles } from '../ports/prompt-files.ts';

/** Builds the brief of an agent for its worker, and a preview for operators. */
export function createBriefs({ board, store }: Hall, promptFiles: PromptFiles) {
  async function brief(task: Task, target: BriefTarget): Promise<Brief | Refusal> {
    const skill = promptFiles.skill(task.skill);
    if (skill === null) {
      return refuse(
        'unknown_skill',
        `there is no skills/${task.skill}.md; add it, or edit the task`,
      );
    }
    const first = task.thread as number as TaskId;
    const [records, notes] = await Promise.all([
      store.tasksById([task.id, first]),
      store.notesOfThread(task.thread),
    ]);
    const own = records.find((record) => record.task.id === task.id);
    const request = records.find((record) => record.task.id === first) ?? own;
    if (!own || !request) throw new Error(`the text of task ${task.id} is not in the store`);
    const sources = {
      task: own,
      request: { title: request.title, body: request.body, by: request.task.actor },
      notes,
      contract: promptFiles.contract(),
      skill,
      persona: (slug: string) => promptFiles.persona(slug),
    };
    return briefOf(board, task, target, sources) ?? noInstance(task);
  }

  return {
    brief,

    /** The prompt of an unclaimed task, as the first eligible instance would get it. */
    async prompt(task: Task): Promise<Prompt | Refusal> {
      const [record] = await store.threadsById([task.thread]);
      const taker = [...board.instances.values()].find(
        ({ name, type }) => (task.instance ?? name) === name && type === task.type,
      );
      if (!record || !taker) return noInstance(task);
      const target = { instance: taker.name, thread: record.thread, writes: writes(task.skill) };
      const found = await brief(task, target);
      return 'refused' in found ? found : assemblePrompt(found.prompt);
    },
  };
}

function noInstance({ type }: Task): Refusal {
  return refuse('unknown_type', `the pool no longer has an instance of type ${type}`);
}
