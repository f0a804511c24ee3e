import { didYouMean } from '../api/did-you-mean.ts';
import type { Mistake } from '../api/validate.ts';
import type { FieldPath, Posting } from '../domain/posting.ts';
import { KNOWN_SKILLS } from '../domain/skill.ts';

/** Operators may add skills, so a skill that does not ship with the product is only a warning. */
export function unknownSkills(
  postings: readonly Pick<Posting, 'skill'>[],
  placing: FieldPath,
): readonly Mistake[] {
  return postings.flatMap(({ skill }, at) => {
    if (KNOWN_SKILLS.includes(skill)) return [];
    const hint = didYouMean(skill, KNOWN_SKILLS, ', ');
    const message = `${skill} is not a built-in skill${hint}`;
    return [{ path: `${placing(at)}skill`, message }];
  });
}
