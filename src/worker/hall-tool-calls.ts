import type { Size } from '../domain/size.ts';
import { MAX_CHILDREN, minChildren } from '../domain/splitting.ts';
import type { CompletedOutcome, Rejection } from '../domain/task.ts';
import type { Verdict } from '../domain/thread.ts';
import type { HallTool, ToolResult } from '../ports/agent.ts';
import type { ProposedChild } from '../ports/hall-client.ts';
import { type Fields, mistakesIn } from './check-tool-input.ts';

/** How an agent declares the end of its run. */
export type DeclaredOutcome =
  | {
      readonly how: 'reported';
      readonly outcome: CompletedOutcome | 'failed';
      readonly summary: string;
      readonly details: string | null;
      readonly verdict: Verdict['is'] | null;
      readonly agent: string | null;
      readonly children: readonly ProposedChild[];
    }
  | { readonly how: 'rejected'; readonly rejection: Rejection }
  | { readonly how: 'asked'; readonly question: string };

interface Needs {
  readonly skill: string;
  readonly size: Size;
  readonly tools: readonly HallTool[];
  note(text: string): Promise<void>;
  progress(text: string): void;
}

const MAX_NOTES = 20;

/** Handles the agent's calls of hall tools. Input is validated, because an agent may send anything. */
export class HallToolCalls {
  readonly #needs: Needs;
  readonly #children: ProposedChild[] = [];
  #notes = 0;
  #declared: DeclaredOutcome | undefined;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  get declared(): DeclaredOutcome | undefined {
    return this.#declared;
  }

  async use(name: string, input: unknown): Promise<ToolResult> {
    const tool = this.#needs.tools.find((each) => each.name === name);
    if (!tool) return refused(`there is no tool ${name}`);
    if (this.#declared) return refused('your run has already ended; do nothing more');
    const { mistakes, fields } = mistakesIn(tool.parameters, input);
    if (mistakes.length > 0) return refused(`not done: ${mistakes.join('; ')}`);
    return this.#apply(name, fields);
  }

  async #apply(name: string, fields: Fields): Promise<ToolResult> {
    switch (name) {
      case 'note':
        return this.#note(fields.text('text'));
      case 'progress':
        this.#needs.progress(fields.text('text'));
        return accepted('recorded');
      case 'propose_child':
        return this.#propose(fields);
      case 'ask':
        return this.#end({ how: 'asked', question: fields.text('question') });
      case 'reject':
        return this.#end({ how: 'rejected', rejection: rejectionIn(fields) });
      default:
        return this.#report(fields);
    }
  }

  /** Limited, because every later agent and person in the thread reads each note. */
  async #note(text: string): Promise<ToolResult> {
    if (this.#notes >= MAX_NOTES) {
      return refused(`not noted: the limit of ${MAX_NOTES} notes is reached`);
    }
    this.#notes += 1;
    await this.#needs.note(text);
    return accepted('noted');
  }

  #propose(fields: Fields): ToolResult {
    const ref = fields.text('ref');
    if (this.#children.some((child) => child.ref === ref)) {
      return refused(`not proposed: another part has the ref ${ref}`);
    }
    if (this.#children.length >= MAX_CHILDREN) {
      return refused(`not proposed: the limit of ${MAX_CHILDREN} parts is reached`);
    }
    this.#children.push({
      ref,
      title: fields.text('title'),
      body: fields.text('body'),
      labels: fields.texts('labels'),
      dependsOn: fields.texts('depends_on'),
    });
    return accepted(`proposed, ${this.#children.length} so far`);
  }

  #report(fields: Fields): ToolResult {
    const outcome = fields.text('outcome') as CompletedOutcome | 'failed';
    const { skill, size } = this.#needs;
    const minimum = minChildren(skill, size);
    if (outcome !== 'failed' && this.#children.length < minimum) {
      return refused(
        `not reported: you proposed ${this.#children.length} parts, but a task of size ${size} needs ${minimum} to ${MAX_CHILDREN}`,
      );
    }
    if (outcome === 'rerouted' && fields.maybe('agent') === null) {
      return refused('not reported: set agent to the instance or type that should do the task');
    }
    return this.#end({
      how: 'reported',
      outcome,
      summary: fields.text('summary'),
      details: fields.maybe('details'),
      verdict: fields.maybe('verdict') as Verdict['is'] | null,
      agent: outcome === 'rerouted' ? fields.maybe('agent') : null,
      children: outcome === 'failed' ? [] : this.#children,
    });
  }

  #end(declared: DeclaredOutcome): ToolResult {
    this.#declared = declared;
    return { text: 'recorded; you are done', isError: false, ends: true };
  }
}

function rejectionIn(fields: Fields): Rejection {
  return {
    reasonCode: fields.text('reason_code') as Rejection['reasonCode'],
    message: fields.text('message'),
    missing: fields.texts('missing'),
    questions: fields.texts('questions'),
    suggestedSize: fields.maybe('suggested_size') as Size | null,
  };
}

function accepted(text: string): ToolResult {
  return { text, isError: false, ends: false };
}

function refused(text: string): ToolResult {
  return { text, isError: true, ends: false };
}
