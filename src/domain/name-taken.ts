import { type Refusal, refuse } from './refusal.ts';

export function nameTaken(kind: string, name: string): Refusal {
  return refuse('name_taken', `there is already a ${kind} named ${name}`);
}
