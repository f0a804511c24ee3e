import { EmulatorRefused } from './emulator-refused.ts';
import type { Caller, Label, Repository } from './model.ts';
import { NEEDS, requireRight } from './rights.ts';
import type { World } from './world.ts';

interface By {
  readonly caller: Caller;
  readonly repository: Repository;
}

interface LabelText {
  readonly name: string;
  readonly color?: string | undefined;
  readonly description?: string | undefined;
}

export function createLabel(world: World, { caller, repository }: By, text: LabelText): Label {
  requireRight(world, { caller, repository }, NEEDS.editLabels);
  if (world.rules.labelsAreUnique && labelsNamed(repository, text.name).length > 0) {
    throw new EmulatorRefused('already_exists', 'name');
  }
  return addLabel(world, repository, text);
}

export function editLabel(
  world: World,
  { caller, repository }: By,
  { label, text }: { readonly label: Label; readonly text: Partial<LabelText> },
): void {
  requireRight(world, { caller, repository }, NEEDS.editLabels);
  label.name = text.name ?? label.name;
  label.color = text.color?.replace(/^#/, '') ?? label.color;
  label.description = text.description ?? label.description;
}

/** Names are compared without case; where they need not be unique there may be several. */
export function labelsNamed({ labels }: Repository, name: string): Label[] {
  return labels.filter((label) => label.name.toLowerCase() === name.toLowerCase());
}

/** GitHub makes a label that an issue is given and that the repository lacks. */
export function labelsOrNew(
  world: World,
  { caller, repository }: By,
  names: readonly string[],
): Label[] {
  return names.flatMap((name) => {
    const found = labelsNamed(repository, name);
    if (found.length > 0) return found;
    requireRight(world, { caller, repository }, NEEDS.triage);
    return [addLabel(world, repository, { name })];
  });
}

function addLabel(world: World, { labels }: Repository, text: LabelText): Label {
  const { name, color = 'ededed', description = '' } = text;
  const label = {
    id: world.nextId('label'),
    name,
    color: color.replace(/^#/, ''),
    description,
  };
  labels.push(label);
  return label;
}
