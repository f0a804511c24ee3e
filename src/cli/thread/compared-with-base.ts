import { visible } from '../../api/escape-control-characters.ts';
import type { OperationResult } from '../../api/operation.ts';

type Checks = NonNullable<OperationResult<'getThread'>['thread']['checks']>;

/** Which checks were red before the branch began, and which of those it mended. */
export function comparedWithBase({ base, failing, mended }: Checks): readonly string[] {
  if (!base) return [];
  const at = `${visible(base.branch)} at ${base.commit.slice(0, 12)}`;
  const already = failing.filter((name) => base.failing?.includes(name));
  return [
    ...(already.length > 0 ? [`red on ${at} already: ${visible(already.join(', '))}`] : []),
    ...(mended.length > 0 ? [`mended: ${visible(mended.join(', '))} (red on ${at})`] : []),
  ];
}
