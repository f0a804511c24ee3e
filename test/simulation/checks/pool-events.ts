import type { HallEvent } from '../../../src/domain/event.ts';
import type { Project } from '../../../src/domain/project.ts';
import type { Invoker } from '../../../src/domain/quota.ts';
import type { Ledger } from './ledger.ts';

/** Events of the operators' setup. False for any other event. */
export function readPool(ledger: Ledger, event: HallEvent): boolean {
  switch (event.type) {
    case 'HallPaused':
    case 'HallResumed':
    case 'HallDraining':
    case 'HallRestored':
      ledger.hall = { ...event.hall, window: ledger.hall.window };
      return true;
    case 'QuotaWindowOpened':
      return openWindow(ledger, event.window);
    case 'ProjectSet':
      ledger.projects.set(event.project.name, event.project);
      return true;
    case 'ProjectPaused':
      return changeProject(ledger, event.project, { paused: event.pause });
    case 'ProjectResumed':
      return changeProject(ledger, event.project, { paused: null });
    case 'ProjectRemoved':
      ledger.projects.delete(event.project);
      return true;
    case 'TypeSet':
      ledger.types.set(event.agentType.name, event.agentType);
      return true;
    case 'TypeRemoved':
      ledger.types.delete(event.agentType);
      return true;
    case 'PersonaSet':
      ledger.personas.set(event.persona.slug, event.persona);
      return true;
    case 'PersonaRemoved':
      return removePersona(ledger, event.persona);
    case 'InstanceSet':
      ledger.instances.set(event.instance.name, event.instance);
      return true;
    case 'InstanceRemoved':
      ledger.instances.delete(event.instance);
      return true;
    case 'InvokerSet':
      return setInvoker(ledger, event.invoker);
    case 'InvokerRemoved':
      ledger.invokers.delete(event.invoker);
      return true;
    case 'InvokerParked':
      return setParked(ledger, event.invoker, true);
    case 'InvokerUnparked':
      return setParked(ledger, event.invoker, false);
    case 'TokenCreated':
    case 'TokenRevoked':
      return true;
    default:
      return false;
  }
}

function changeProject(ledger: Ledger, name: string, change: Partial<Project>): true {
  const project = ledger.projects.get(name);
  if (project) ledger.projects.set(name, { ...project, ...change });
  else ledger.fail(`there is no project ${name} to change`);
  return true;
}

/** Open tasks keep the persona that they ask for. */
function removePersona(ledger: Ledger, slug: string): true {
  const asking = [...ledger.openTasks.values()].filter(({ agent }) => agent === slug);
  ledger.must(asking.length === 0, `${slug} is removed and ${asking.length} tasks ask for it`);
  ledger.personas.delete(slug);
  return true;
}

/** A week opens once, whatever the clock does. */
function openWindow(ledger: Ledger, window: number): true {
  ledger.must(window > ledger.hall.window, `window ${window} opens after ${ledger.hall.window}`);
  ledger.hall = { ...ledger.hall, window };
  for (const invoker of ledger.invokers.values()) invoker.used = 0;
  return true;
}

/** It is parked further or opened; it is never opened twice. */
function setParked(ledger: Ledger, handle: string, isParked: boolean): true {
  const invoker = ledger.invokers.get(handle);
  if (!invoker) ledger.fail(`there is no invoker ${handle} to park`);
  else {
    ledger.must(isParked || invoker.isParked, `${handle} opens and was not parked`);
    invoker.isParked = isParked;
  }
  return true;
}

/** Setting an invoker never changes what was spent and what is reserved. */
function setInvoker(ledger: Ledger, invoker: Invoker): true {
  const { handle, settings, paused, parkedUntil, used, reserved } = invoker;
  const before = ledger.invokers.get(handle);
  const spent = before ?? { used: 0, reserved: 0 };
  ledger.must(
    spent.used === used && spent.reserved === reserved,
    `${handle} has used ${spent.used} and reserved ${spent.reserved}, not ${used} and ${reserved}`,
  );
  ledger.invokers.set(handle, {
    cap: settings.weeklyCap,
    projects: settings.projects,
    isPaused: paused !== null,
    isParked: parkedUntil !== null,
    used: spent.used,
    reserved: spent.reserved,
  });
  return true;
}
