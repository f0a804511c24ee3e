import { EmulatorRefused } from './emulator-refused.ts';
import type { Caller, Hook, Repository } from './model.ts';
import { NEEDS, requireRight } from './rights.ts';
import type { World } from './world.ts';

interface By {
  readonly caller: Caller;
  readonly repository: Repository;
}

export type HookFacts = Pick<Hook, 'url' | 'secret' | 'events' | 'isActive'>;

export function createHook(world: World, { caller, repository }: By, facts: HookFacts): Hook {
  requireRight(world, { caller, repository }, NEEDS.editHooks);
  const isKnown = repository.hooks.some(({ url }) => url === facts.url);
  if (isKnown && world.rules.hooksAreUnique) throw new EmulatorRefused('already_exists', 'hook');
  return addHook(world, repository, facts);
}

export function addHook(world: World, repository: Repository, facts: HookFacts): Hook {
  const hook = { ...facts, id: world.nextId('hook'), createdAt: world.now() };
  repository.hooks.push(hook);
  const { owner: sender } = repository;
  if (world.rules.newHooksArePinged) world.emit({ is: 'pinged', repository, sender, hook });
  return hook;
}

export function editHook(
  world: World,
  { caller, repository }: By,
  { hook, facts }: { readonly hook: Hook; readonly facts: Partial<HookFacts> },
): void {
  requireRight(world, { caller, repository }, NEEDS.editHooks);
  Object.assign(hook, facts);
}

export function hookNumbered({ hooks }: Repository, id: number): Hook {
  const hook = hooks.find((each) => each.id === id);
  if (!hook) throw new EmulatorRefused('not_found', `hook ${id}`);
  return hook;
}

export function removeHook(repository: Repository, id: number): void {
  repository.hooks.splice(repository.hooks.indexOf(hookNumbered(repository, id)), 1);
}
